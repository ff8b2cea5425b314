"""Sixty functions of twelve packages, and which of their branches no input takes.

:mod:`bench.packages_python.draw` drew them by chance, before zeroin had been tried on any of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

PACKAGES = ("fluids", "chemicals", "PyMeeus", "pygeodesy", "haversine", "humanize", "convertdate", "isodate",
            "webcolors", "geopy", "numpy_financial", "astral")  # fmt: skip
DEPENDENCIES = ("geographiclib",)  # of geopy; NumPy and SciPy are there


@dataclass(frozen=True)
class Entry:
    """One function.

    Attributes:
        module: where it is.
        name: of the function, after those of its classes.
        types: what ``--types`` takes, for those who give types.
        unreachable: jumps that no input makes, as coverage.py writes them (``12 -> 15``), and why.
    """

    module: str
    name: str
    types: str = ""
    unreachable: dict[str, str] = field(default_factory=dict)

    @property
    def target(self) -> str:
        return f"{self.module}:{self.name}"

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]


_DRAWN = """
fluids.design_climate:gsod_day_parser
fluids.fittings:v_lift_valve_Crane
fluids.flow_meter:differential_pressure_meter_dP
fluids.numerics.arrays:eye
fluids.numerics.arrays:lu
fluids.numerics.polynomial_utils:stable_poly_to_unstable
fluids.numerics:broyden2
fluids.numerics:chebint
fluids.numerics:fixed_point_anderson
chemicals.critical:third_property
chemicals.iapws:iapws95_saturation
chemicals.identifiers:check_CAS
chemicals.interface:Sastri_Rao
chemicals.utils:create_object_data_function
chemicals.utils:dxs_to_dn_partials
chemicals.viscosity:Wilke_prefactored
pymeeus.Coordinates:precession_newcomb
pymeeus.Coordinates:vsop_pos
pymeeus.CurveFitting:CurveFitting.set
pymeeus.Epoch:Epoch.get_month
pymeeus.Epoch:Epoch.jewish_pesach
pymeeus.Epoch:Epoch.set
pymeeus.Moon:Moon.moon_passage_nodes
pymeeus.Pluto:Pluto.geometric_heliocentric_position
pymeeus.Sun:Sun.get_equinox_solstice
pygeodesy.auxilats.auxDLat:AuxDLat.DParametric
pygeodesy.cartesianBase:rtp2xyz_
pygeodesy.ellipsoids:Ellipsoid.circle4
pygeodesy.epsg:encode
pygeodesy.fmath:euclid_
pygeodesy.fmath:facos1
pygeodesy.geohash:Geohash.distanceTo
pygeodesy.points:fractional
pygeodesy.ups:upsZoneBand5
haversine.haversine:inverse_haversine_vector
humanize.filesize:naturalsize
humanize.i18n:activate
humanize.number:clamp
humanize.number:intcomma
humanize.number:intword
convertdate.french_republican:leap
convertdate.holidays:independence_day
convertdate.holidays:thanksgiving
convertdate.holidays:veterans_day
convertdate.utils:nth_day_of_month
isodate.duration:max_days_in_month
isodate.isodates:build_date_regexps
isodate.isotime:parse_time
isodate.isotzinfo:tz_isoformat
webcolors._html5:html5_parse_legacy_color
webcolors._html5:html5_parse_simple_color
geopy.point:Point.format
geopy.point:Point.format_decimal
geopy.point:Point.from_string
geopy.point:Point.parse_degrees
numpy_financial._financial:rate
astral.location:Location.moonrise
astral.location:Location.time_at_elevation
astral.sun:midnight
astral.sun:zenith_and_azimuth
"""
_ANGLE = "Angle | float | int | tuple | str"  # what the functions that check it check it for
_TYPES = {  # what the documentation says, and the checks of the function; annotations say the rest
    "fluids.design_climate:gsod_day_parser": "line: str, SI: bool, to_datetime: bool",
    "fluids.numerics.arrays:eye": "N: int | float",
    "fluids.numerics.arrays:lu": "A: list[list[float]]",
    "fluids.numerics.polynomial_utils:stable_poly_to_unstable": "coeffs: list[float], low: float, high: float",
    "fluids.numerics:broyden2": "xs: list[float], fun: Callable, jac: Callable, xtol: float, maxiter: int, "
    "jac_has_fun: bool, skip_J: bool, args: tuple",
    "fluids.numerics:chebint": "c: list[float], m: int, lbnd: float, scl: float",
    "fluids.numerics:fixed_point_anderson": "f: Callable, x0: list[float]",
    "chemicals.iapws:iapws95_saturation": "T: float, xtol: float, rhol_guess: float | None, rhog_guess: float | None",
    "chemicals.identifiers:check_CAS": "CASRN: str",
    "chemicals.utils:create_object_data_function": "instance: Fraction | date | float",
    "chemicals.utils:dxs_to_dn_partials": "dxs: list[float], xs: list[float], F: float, "
    "partial_properties: list[float] | None",
    "pymeeus.Coordinates:precession_newcomb": "start_epoch: Epoch | float, final_epoch: Epoch | float, "
    f"start_ra: Angle | float, start_dec: Angle | float, p_motion_ra: {_ANGLE}, p_motion_dec: {_ANGLE}",
    "pymeeus.Coordinates:vsop_pos": "epoch: Epoch | float, vsop_l: list[list[list[float]]] | float, "
    "vsop_b: list[list[list[float]]] | float, vsop_r: list[list[list[float]]] | float",
    "pymeeus.CurveFitting:CurveFitting.set": "args: CurveFitting | int | float | Angle | list[float] | tuple | str",
    "pymeeus.Epoch:Epoch.get_month": "month: int | float | str | None, as_string: bool",
    "pymeeus.Epoch:Epoch.jewish_pesach": "year: int | float | str",
    "pymeeus.Epoch:Epoch.set": "args: Epoch | int | float | tuple[int, int, float] | list[int] "
    "| datetime.datetime | datetime.date | str, leap_seconds: float, local: bool, utc: bool",
    "pymeeus.Moon:Moon.moon_passage_nodes": "epoch: Epoch | float, target: str | float",
    "pymeeus.Pluto:Pluto.geometric_heliocentric_position": "epoch: Epoch | float",
    "pymeeus.Sun:Sun.get_equinox_solstice": "year: int | float, target: str | float",
    "pygeodesy.auxilats.auxDLat:AuxDLat.DParametric": "Phi1: pygeodesy.auxilats.auxAngle.AuxAngle, "
    "Phi2: pygeodesy.auxilats.auxAngle.AuxAngle",
    "pygeodesy.cartesianBase:rtp2xyz_": "r_rtp: RadiusThetaPhi3Tuple | float | str, theta: float, phi: float",
    "pygeodesy.ellipsoids:Ellipsoid.circle4": "lat: float | str",
    "pygeodesy.epsg:encode": "zone: int | str, hemipole: str, band: str",
    "pygeodesy.fmath:euclid_": "xs: float",
    "pygeodesy.fmath:facos1": "x: float",
    "pygeodesy.geohash:Geohash.distanceTo": "other: Geohash | str",
    "pygeodesy.points:fractional": "points: list[LatLon_], fi: float | int, j: int | None, wrap: bool | None, "
    "LatLon: Callable | None, Vector: Callable | None",
    "pygeodesy.ups:upsZoneBand5": "lat: float | str, lon: float | str, strict: bool",
    "haversine.haversine:inverse_haversine_vector": "array: list[tuple[float, float]], distance: list[float], "
    "direction: list[float], unit: Unit, normalize_output: bool",
    "convertdate.french_republican:leap": "year: int, method: str | int | None",
    "convertdate.holidays:independence_day": "year: int, observed: bool | None",
    "convertdate.holidays:thanksgiving": "year: int, country: str",
    "convertdate.holidays:veterans_day": "year: int, observed: bool | None",
    "convertdate.utils:nth_day_of_month": "n: int, weekday: int, month: int, year: int",
    "isodate.duration:max_days_in_month": "year: int, month: int",
    "isodate.isodates:build_date_regexps": "yeardigits: int, expanded: bool",
    "isodate.isotime:parse_time": "timestring: str",
    "isodate.isotzinfo:tz_isoformat": "dt: datetime, format: str",
    "geopy.point:Point.format": "altitude: bool | str | None, deg_char: str, min_char: str, sec_char: str",
    "geopy.point:Point.format_decimal": "altitude: bool | str | None",
    "geopy.point:Point.from_string": "string: str",
    "geopy.point:Point.parse_degrees": "degrees: float, arcminutes: float, arcseconds: float, direction: str | None",
    "numpy_financial._financial:rate": "nper: list[float], pmt: Decimal | list[float], pv: list[float], "
    "fv: list[float], when: str | int | list[int], guess: float | None, tol: float | None, maxiter: int",
}
_NO_PANDAS = "the data that it needs are read by pandas, which is not installed"
_UNREACHABLE: dict[str, dict[str, str]] = {
    "fluids.design_climate:gsod_day_parser": {
        "921 -> 922": "no part of a text that is split at blanks is empty",
        "971 -> 969": "every field is a text",
    },
    "chemicals.critical:third_property": dict.fromkeys(
        ("1710 -> 1711", "1710 -> 1723", "1715 -> 1716", "1715 -> 1723", "1720 -> 1721", "1720 -> 1723"), _NO_PANDAS
    ),
    "chemicals.utils:create_object_data_function": dict.fromkeys(
        ("269 -> 270", "269 -> 274", "281 -> 282", "281 -> 286"), "it stands in a function that is returned, not called"
    ),
    "pymeeus.Coordinates:precession_newcomb": dict.fromkeys(
        ("818 -> 819", "818 -> 821"),
        "an Epoch less a number is an Epoch, and dividing that has raised a TypeError before",
    ),
    "pymeeus.Sun:Sun.get_equinox_solstice": dict.fromkeys(
        ("528 -> 554", "547 -> 554"), "a target that is none of the four has raised before"
    ),
    "pygeodesy.epsg:encode": {"211 -> 214": "_to3zBhp gives a zone from 0 to 60, or raises"},
    "pygeodesy.ups:upsZoneBand5": {"491 -> 492": "an environment variable has to be set for that before the import"},
    "haversine.haversine:inverse_haversine_vector": {"288 -> 289": "NumPy is installed"},
    "humanize.i18n:activate": {
        "85 -> 86": "the package has its folder of translations",
        "91 -> 94": "before other calls there is only None among the translations, which has returned before",
    },
    "humanize.number:clamp": {"529 -> 532": "format is annotated as a text or a function"},
    "humanize.number:intcomma": {"202 -> 203": "the separators are others only after activate"},
    "isodate.isodates:build_date_regexps": {"37 -> 116": "at the first call the cache is empty"},
    "isodate.isotzinfo:tz_isoformat": {"83 -> 84": "the offset of a time zone is less than 24 hours"},
    "webcolors._html5:html5_parse_legacy_color": {"141 -> 142": "value is annotated as a text"},
    "astral.location:Location.moonrise": {"590 -> 591": "a time zone is annotated as a text"},
    "astral.location:Location.time_at_elevation": {"664 -> 665": "a time zone is annotated as a text"},
    "astral.sun:midnight": dict.fromkeys(
        ("489 -> 490", "496 -> 497"), "60 times a fraction of a minute, or an hour, is below 60"
    ),
}


def entries() -> Iterator[Entry]:
    """All sixty."""
    for target in _DRAWN.split():
        module, _, name = target.partition(":")
        yield Entry(module, name, _TYPES.get(target, ""), _UNREACHABLE.get(target, {}))
