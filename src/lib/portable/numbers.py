"""exp and log in plain arithmetic: the same bits in Python and in every browser, within one unit in the last place.

Their own differ between machines by the last bit in a few per cent of values, and one bit can turn a run's sign.
Source: the polynomials and constants of fdlibm (Sun Microsystems 1993), e_exp.c and e_log.c.
"""

from lib.portable.primitives import Vector, floor, inf, nan, zeros

# log 2 in two parts: k * LN2_HIGH is exact for every exponent k.
LN2_HIGH = 0.6931471803691238
LN2_LOW = 1.9082149292705877e-10
_ZERO = 1075  # place of 2**0 among the powers


def powers_of_two() -> Vector:
    """2**-1075 (which is 0) to 2**1023, at the places 0 to 2098."""
    powers = zeros(2099)
    power = 1.0
    for i in range(1024):
        powers[_ZERO + i] = power
        power = power * 2.0
    power = 1.0
    for i in range(_ZERO + 1):
        powers[_ZERO - i] = power
        power = power * 0.5
    return powers


POWERS_OF_TWO = powers_of_two()


def exp(x: float) -> float:
    """e to the x; infinite above 709.78, 0 below -745.13."""
    if x != x:
        return nan
    if x > 709.782712893384:
        return inf
    if x < -745.1332191019411:
        return 0.0
    k = floor(x * 1.4426950408889634 + 0.5)
    high = x - float(k) * LN2_HIGH
    low = float(k) * LN2_LOW
    r = high - low
    t = r * r
    c = r - t * (
        0.16666666666666602
        + t
        * (
            -0.0027777777777015593
            + t * (6.613756321437934e-05 + t * (-1.6533902205465252e-06 + t * 4.1381367970572385e-08))
        )
    )
    value = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    if k > 1023:
        return value * 2.0 * POWERS_OF_TWO[_ZERO + k - 1]
    if k < -1021:  # in two steps, so that what is left of the digits is rounded once
        return value * POWERS_OF_TWO[_ZERO + k + 54] * POWERS_OF_TWO[_ZERO - 54]
    return value * POWERS_OF_TWO[_ZERO + k]


def log(x: float) -> float:
    """The natural logarithm; minus infinity at 0, not a number below."""
    if x == 0.0:
        return -inf
    if not x > 0.0:
        return nan
    if x == inf:
        return inf
    # x = 2**k * m with m between sqrt(1/2) and sqrt(2), by halves of the exponent
    k = 0
    m = x
    if m < 1.0:
        s = 512
        while s > 0:
            while m < POWERS_OF_TWO[_ZERO - s + 1]:
                m = m * POWERS_OF_TWO[_ZERO + s]
                k -= s
            s = s // 2
    elif m >= 2.0:
        s = 512
        while s > 0:
            while m >= POWERS_OF_TWO[_ZERO + s]:
                m = m * POWERS_OF_TWO[_ZERO - s]
                k += s
            s = s // 2
    if m > 1.4142135623730951:
        m = m * 0.5
        k += 1
    f = m - 1.0
    s2 = f / (2.0 + f)
    z = s2 * s2
    w = z * z
    odd = z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)))
    even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373))
    half = 0.5 * f * f
    e = float(k)
    return e * LN2_HIGH - ((half - (s2 * (half + odd + even) + e * LN2_LOW)) - f)
