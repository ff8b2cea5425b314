/* Functions of structures and unions of numbers, which are driven field by field. */
struct point { double x, y; };
struct big { long parts[16]; };
union number { int whole; float real; };

// expects: nothing
int takes_struct(struct point p) { return p.x > 100.0 ? 2 : p.y == 0.5 ? 1 : 0; }

// expects: nothing
int takes_union(union number n) { return n.whole > 100 ? 2 : 0; }

// expects: nothing
struct big returns_big_struct(int x) { return x > 100 ? (struct big){{2}} : (struct big){{0}}; }
