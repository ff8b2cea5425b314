/* https://github.com/nrc-cnrc/EGSnrc/pull/536

   The cosine of the angle of a photon from an annihilation is cut at one but
   not at minus one, so that the sine is the root of a negative number:
   kinetic = 8.925466050052734 (in rest masses), u = 0. */
#include <cmath>

double reported(double kinetic, double u)
{
    if (!(kinetic >= 1e-3 && kinetic <= 1e5))
        return 0.0;
    if (!(u >= 0.0 && u <= 1.0))
        return 0.0;
    double total = kinetic + 2.0;
    double momentum = std::sqrt(kinetic * total);
    double least = 1.0 / (total + momentum);
    double share = least * std::exp(u * std::log((1.0 - least) / least));
    double energy = share * total;
    double cosine = (energy - 1.0) * (momentum / kinetic) / energy;
    if (cosine > 1.0)
        cosine = 1.0;
    return std::sqrt(1.0 - cosine * cosine); /* fault: nan */
}

double mended(double kinetic, double u)
{
    if (!(kinetic >= 1e-3 && kinetic <= 1e5))
        return 0.0;
    if (!(u >= 0.0 && u <= 1.0))
        return 0.0;
    double total = kinetic + 2.0;
    double momentum = std::sqrt(kinetic * total);
    double least = 1.0 / (total + momentum);
    double share = least * std::exp(u * std::log((1.0 - least) / least));
    double energy = share * total;
    double cosine = (energy - 1.0) * (momentum / kinetic) / energy;
    if (cosine > 1.0)
        cosine = 1.0;
    if (cosine < -1.0)
        cosine = -1.0;
    return std::sqrt(1.0 - cosine * cosine);
}
