// The search takes a minus for "without this word", so that a search for --find would find nothing.
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-md-component=search-query]"))
    event.target.value = event.target.value.replace(/(^|\s)-+(?=\w)/g, "$1");
}, true);
