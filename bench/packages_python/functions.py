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
_TYPES: dict[str, str] = {}
_UNREACHABLE: dict[str, dict[str, str]] = {}


def entries() -> Iterator[Entry]:
    """All sixty."""
    for target in _DRAWN.split():
        module, _, name = target.partition(":")
        yield Entry(module, name, _TYPES.get(target, ""), _UNREACHABLE.get(target, {}))
