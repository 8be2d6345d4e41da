"""Fewest samples until attention finds its positions or looks at little else, over T, N and Q; portable Python.

Chapter `scb`. From hal/results/scb/samples.json (sixteen seeds), to which a test holds these numbers. Source: ours; see
`samples`.
"""

from lib.portable.primitives import Vector, nan
from lib.portable.vectors import part

SIZES = [  # what grows: the context T, the vocabulary N, the positions Q
    32.0, 64.0, 128.0, 256.0, 512.0, 1024.0,
    2.0, 3.0, 4.0, 6.0, 8.0,
    1.0, 2.0, 3.0, 4.0, 6.0,
]  # fmt: skip
FIRST = [0, 6, 11, 16]  # where each of them begins
# A row for each optimiser, attention and goal; NaN where a quarter of the runs or more do not arrive.
SAMPLES = [
    # gradient descent, linear: finds its positions
    400.0, 504.0, 628.0, 720.0, 992.0, 1256.0,
    394.0, 476.0, 628.0, 720.0, 848.0, 184.0, 628.0, 1432.0, 3168.0, nan,
    # gradient descent, linear: looks at little else
    340.0, 644.0, 1184.0, 2080.0, 4184.0, 7288.0,
    1368.0, 1216.0, 1184.0, 1240.0, 1200.0, 680.0, 1184.0, 1656.0, 2256.0, 2912.0,
    # gradient descent, softmax: finds its positions
    400.0, 544.0, 656.0, 1088.0, 1316.0, 1992.0,
    408.0, 528.0, 656.0, 920.0, 1056.0, 240.0, 656.0, 1432.0, 3072.0, nan,
    # gradient descent, softmax: looks at little else
    196.0, 336.0, 504.0, 868.0, 1512.0, 2892.0,
    628.0, 498.0, 504.0, 752.0, 776.0, 298.0, 504.0, 1040.0, 998.0, 1514.0,
    # soft threshold, linear: finds its positions
    336.0, 504.0, 628.0, 720.0, 1144.0, 1792.0,
    414.0, 454.0, 628.0, 684.0, 868.0, 184.0, 628.0, 1400.0, 3200.0, nan,
    # soft threshold, linear: looks at little else
    240.0, 386.0, 544.0, 704.0, 828.0, 1904.0,
    544.0, 544.0, 544.0, 544.0, 560.0, 184.0, 544.0, 684.0, 1008.0, 1344.0,
    # soft threshold, softmax: finds its positions
    400.0, 576.0, 736.0, 1088.0, 1952.0, 2112.0,
    496.0, 544.0, 736.0, 920.0, 1152.0, 256.0, 736.0, 1568.0, 3584.0, nan,
    # soft threshold, softmax: looks at little else
    196.0, 336.0, 1040.0, 2640.0, 6240.0, 10048.0,
    928.0, 528.0, 1040.0, 960.0, 1008.0, 628.0, 1040.0, 888.0, 2176.0, 2240.0,
    # Adam, linear: finds its positions
    536.0, 578.0, 722.0, 998.0, 1256.0, 1044.0,
    388.0, 546.0, 722.0, 910.0, 1258.0, 286.0, 722.0, 1648.0, 3324.0, nan,
    # Adam, linear: looks at little else
    370.0, 756.0, 1202.0, 2472.0, 5520.0, 12112.0,
    1440.0, 1094.0, 1202.0, 1318.0, 1656.0, 998.0, 1202.0, 1808.0, 2000.0, 2928.0,
    # Adam, softmax: finds its positions
    540.0, 692.0, 716.0, 1094.0, 1514.0, 1504.0,
    536.0, 498.0, 716.0, 828.0, 1146.0, 376.0, 716.0, 1446.0, 2892.0, 7944.0,
    # Adam, softmax: looks at little else
    232.0, 368.0, 464.0, 756.0, 788.0, 1046.0,
    552.0, 328.0, 464.0, 454.0, 572.0, 376.0, 464.0, 784.0, 792.0, 1380.0,
    # sign descent, linear: finds its positions
    1120.0, 1184.0, 1504.0, 2080.0, 2880.0, 5032.0,
    434.0, 1216.0, 1504.0, 2432.0, 2496.0, 432.0, 1504.0, 3520.0, 7296.0, nan,
    # sign descent, linear: looks at little else
    816.0, 1952.0, 2720.0, 8288.0, 17600.0, nan,
    2072.0, 3264.0, 2720.0, 4288.0, 4672.0, 2720.0, 2720.0, 4064.0, 4192.0, 6016.0,
    # sign descent, softmax: finds its positions
    764.0, 1044.0, 1264.0, 1992.0, 2092.0, 1992.0,
    792.0, 998.0, 1264.0, 2312.0, 2528.0, 536.0, 1264.0, 3008.0, nan, nan,
    # sign descent, softmax: looks at little else
    352.0, 504.0, 748.0, 1144.0, 1656.0, 1656.0,
    536.0, 600.0, 748.0, 1344.0, 1248.0, 480.0, 748.0, 1036.0, 1656.0, 2384.0,
]  # fmt: skip
# The lower end of the 95 % interval over the seeds.
LOW = [
    # gradient descent, linear: finds its positions
    312.0, 428.0, 496.0, 592.0, 788.0, 952.0,
    314.0, 408.0, 496.0, 608.0, 712.0, 124.0, 504.0, 1264.0, 2656.0, nan,
    # gradient descent, linear: looks at little else
    296.0, 576.0, 1056.0, 1992.0, 4096.0, 7280.0,
    1152.0, 1046.0, 1056.0, 1168.0, 1152.0, 600.0, 1056.0, 1572.0, 1920.0, 2720.0,
    # gradient descent, softmax: finds its positions
    320.0, 416.0, 528.0, 722.0, 952.0, 1256.0,
    312.0, 424.0, 528.0, 736.0, 928.0, 156.0, 528.0, 1168.0, 2560.0, nan,
    # gradient descent, softmax: looks at little else
    146.0, 200.0, 372.0, 656.0, 1146.0, 1446.0,
    372.0, 356.0, 372.0, 596.0, 656.0, 188.0, 372.0, 652.0, 910.0, 1264.0,
    # soft threshold, linear: finds its positions
    256.0, 402.0, 512.0, 592.0, 788.0, 1040.0,
    314.0, 376.0, 512.0, 624.0, 752.0, 124.0, 504.0, 960.0, 2336.0, nan,
    # soft threshold, linear: looks at little else
    188.0, 272.0, 312.0, 672.0, 828.0, 1904.0,
    288.0, 280.0, 312.0, 544.0, 560.0, 176.0, 312.0, 496.0, 832.0, 1344.0,
    # soft threshold, softmax: finds its positions
    336.0, 416.0, 576.0, 800.0, 1248.0, 1600.0,
    336.0, 432.0, 576.0, 768.0, 928.0, 184.0, 560.0, 1520.0, 2688.0, nan,
    # soft threshold, softmax: looks at little else
    176.0, 264.0, 888.0, 1952.0, 4992.0, 9344.0,
    528.0, 504.0, 888.0, 920.0, 928.0, 328.0, 888.0, 888.0, 1408.0, 2176.0,
    # Adam, linear: finds its positions
    438.0, 504.0, 656.0, 722.0, 952.0, 908.0,
    252.0, 476.0, 656.0, 688.0, 1046.0, 238.0, 656.0, 1446.0, 2640.0, nan,
    # Adam, linear: looks at little else
    324.0, 660.0, 1094.0, 2368.0, 4808.0, 11040.0,
    1046.0, 1046.0, 1094.0, 1202.0, 1446.0, 688.0, 1094.0, 1514.0, 1904.0, 2736.0,
    # Adam, softmax: finds its positions
    424.0, 464.0, 628.0, 756.0, 1044.0, 952.0,
    312.0, 414.0, 628.0, 688.0, 1046.0, 248.0, 628.0, 1146.0, 2516.0, 6912.0,
    # Adam, softmax: looks at little else
    172.0, 256.0, 328.0, 434.0, 752.0, 546.0,
    204.0, 260.0, 328.0, 360.0, 454.0, 226.0, 328.0, 544.0, 628.0, 1146.0,
    # sign descent, linear: finds its positions
    928.0, 928.0, 1304.0, 1504.0, 2304.0, 2752.0,
    344.0, 880.0, 1304.0, 1920.0, 2176.0, 296.0, 1216.0, 2624.0, 5824.0, nan,
    # sign descent, linear: looks at little else
    720.0, 1424.0, 2624.0, 5984.0, 13824.0, 35584.0,
    1202.0, 2176.0, 2624.0, 3904.0, 4352.0, 2432.0, 2624.0, 3200.0, 3552.0, 5504.0,
    # sign descent, softmax: finds its positions
    564.0, 696.0, 816.0, 1444.0, 1736.0, 1736.0,
    360.0, 600.0, 816.0, 1584.0, 2032.0, 300.0, 852.0, 2076.0, 3820.0, nan,
    # sign descent, softmax: looks at little else
    240.0, 288.0, 484.0, 688.0, 1092.0, 788.0,
    188.0, 424.0, 484.0, 568.0, 992.0, 276.0, 528.0, 716.0, 1104.0, 1888.0,
]  # fmt: skip
# Its upper end; NaN where that does not arrive.
HIGH = [
    # gradient descent, linear: finds its positions
    416.0, 524.0, 656.0, 848.0, 1144.0, 1408.0,
    414.0, 522.0, 656.0, 748.0, 888.0, 272.0, 656.0, 1520.0, 3264.0, nan,
    # gradient descent, linear: looks at little else
    354.0, 660.0, 1258.0, 2176.0, 4376.0, 7640.0,
    1380.0, 1248.0, 1258.0, 1248.0, 1256.0, 716.0, 1258.0, 1696.0, 2256.0, 3008.0,
    # gradient descent, softmax: finds its positions
    416.0, 576.0, 768.0, 1216.0, 1444.0, 2752.0,
    484.0, 576.0, 768.0, 952.0, 1094.0, 320.0, 768.0, 1632.0, 3392.0, nan,
    # gradient descent, softmax: looks at little else
    224.0, 392.0, 680.0, 1144.0, 2000.0, 3644.0,
    680.0, 552.0, 680.0, 784.0, 792.0, 414.0, 680.0, 1008.0, 1296.0, 1776.0,
    # soft threshold, linear: finds its positions
    400.0, 512.0, 628.0, 944.0, 1152.0, 1824.0,
    448.0, 498.0, 628.0, 752.0, 960.0, 276.0, 640.0, 1568.0, 3200.0, nan,
    # soft threshold, linear: looks at little else
    276.0, 416.0, 600.0, 1344.0, 1656.0, 3168.0,
    856.0, 544.0, 600.0, 624.0, 784.0, 352.0, 600.0, 784.0, 1200.0, 1840.0,
    # soft threshold, softmax: finds its positions
    416.0, 576.0, 800.0, 1304.0, 2432.0, 3152.0,
    544.0, 624.0, 800.0, 1024.0, 1280.0, 320.0, 800.0, 1856.0, nan, nan,
    # soft threshold, softmax: looks at little else
    264.0, 520.0, 1040.0, 2640.0, 6272.0, 10816.0,
    1040.0, 1040.0, 1040.0, 1360.0, 1600.0, 768.0, 1040.0, 1360.0, 2432.0, 2432.0,
    # Adam, linear: finds its positions
    588.0, 692.0, 792.0, 1136.0, 1318.0, 1376.0,
    424.0, 628.0, 792.0, 998.0, 1316.0, 356.0, 756.0, 1724.0, 3576.0, nan,
    # Adam, linear: looks at little else
    438.0, 790.0, 1424.0, 3064.0, 5784.0, 12688.0,
    2080.0, 1258.0, 1424.0, 1446.0, 1662.0, 1318.0, 1424.0, 1910.0, 2000.0, 3144.0,
    # Adam, softmax: finds its positions
    576.0, 756.0, 792.0, 1256.0, 1656.0, 1586.0,
    624.0, 546.0, 792.0, 952.0, 1202.0, 498.0, 792.0, 1662.0, 3312.0, nan,
    # Adam, softmax: looks at little else
    276.0, 428.0, 498.0, 848.0, 1144.0, 1446.0,
    648.0, 376.0, 498.0, 546.0, 628.0, 484.0, 498.0, 824.0, 868.0, 1514.0,
    # sign descent, linear: finds its positions
    1216.0, 1312.0, 1632.0, 2080.0, 3152.0, 5248.0,
    546.0, 1264.0, 1632.0, 2752.0, 3136.0, 496.0, 1632.0, 4064.0, 8128.0, nan,
    # sign descent, linear: looks at little else
    944.0, 2096.0, 4080.0, 9344.0, nan, nan,
    2496.0, 3616.0, 4080.0, 5504.0, 5824.0, 4288.0, 4416.0, 5312.0, 5856.0, 6304.0,
    # sign descent, softmax: finds its positions
    880.0, 1096.0, 1376.0, 1996.0, 2928.0, 2636.0,
    1128.0, 1318.0, 1376.0, 2388.0, 2640.0, 684.0, 1376.0, 3296.0, nan, nan,
    # sign descent, softmax: looks at little else
    448.0, 704.0, 1060.0, 1376.0, 2464.0, 2184.0,
    648.0, 748.0, 1060.0, 1432.0, 1312.0, 748.0, 1060.0, 1568.0, 1820.0, 2736.0,
]  # fmt: skip


def samples(ends: int, optimiser: int, attention: int, goal: int, over: int) -> Vector:
    """The fewest samples at each size of what grows.

    Args:
        ends: 0 for the number itself, 1 and 2 for the lower and upper end of its interval.
        optimiser: 0 for gradient descent, 1 with a soft threshold, 2 for Adam, 3 for sign descent.
        attention: 0 for linear, 1 for softmax.
        goal: 0 if attention finds its positions, 1 if it looks at little else.
        over: 0 for T, 1 for N, 2 for Q.

    Source: the record, see above.
    """
    row = ((2 * optimiser + attention) * 2 + goal) * len(SIZES)
    numbers = SAMPLES if ends == 0 else LOW if ends == 1 else HIGH
    return part(numbers, row + FIRST[over], FIRST[over + 1] - FIRST[over])
