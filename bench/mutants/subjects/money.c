/* Taxes and loans. */
#include <math.h>

/* Tax on an income by four brackets. */
double income_tax(double income)
{
    static const double from[] = {0.0, 12000.0, 40000.0, 90000.0};
    static const double rate[] = {0.0, 0.18, 0.32, 0.45};
    double tax = 0.0;
    for (int i = 1; i < 4; i++) {
        if (income <= from[i])
            break;
        double top = i < 3 && income > from[i + 1] ? from[i + 1] : income;
        tax += rate[i] * (top - from[i]);
    }
    return tax;
}

/* Monthly payment of a loan; -1 where an argument makes no sense. */
double loan_payment(double amount, double annual_rate, int months)
{
    if (amount < 0.0 || annual_rate < 0.0 || months < 1)
        return -1.0;
    if (annual_rate == 0.0)
        return amount / months;
    double rate = annual_rate / 12.0;
    double growth = pow(1.0 + rate, months);
    return amount * rate * growth / (growth - 1.0);
}
