import {
  array,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
  tuple,
  type Arbitrary,
} from 'fast-check'

/** Everything that can happen to a sale. */
// prettier-ignore
export const acts = [
  'opens', 'keeps details', 'pays', 'orders',
  'is declined', 'all ask at once', 'looks', 'webhook', 'sweep', 'price changes', 'a day passes',
  'SumUp lags', 'SumUp lies', 'SumUp stumbles', 'SumUp expires it', 'opens, the answer is lost', 'opens, SumUp is away',
  'orders, the answer waits', 'sweep, the answers wait', 'answers arrive',
] as const
export type Act = (typeof acts)[number]

/** One thing happens: to which buyer, and how many times where that has a meaning. */
export type Step = { act: Act; buyer: number; times: number }

const longestStory = 12
/** The ways to money come oftener, so that most stories get that far. */
const usual = acts.slice(0, 4)

const step: Arbitrary<Step> = record({
  act: oneof(
    { weight: 1, arbitrary: constantFrom(...usual) },
    { weight: 2, arbitrary: constantFrom(...acts) },
  ),
  buyer: oneof({ weight: 3, arbitrary: constant(0) }, integer({ min: 0, max: 2 })),
  times: integer({ min: 1, max: 5 }),
})

/** A buyer at the card form, one at their last card, one whose opening failed, one who paid too early, or nobody. */
const beginnings: [Act, number][][] = [
  [],
  [
    ['opens', 1],
    ['keeps details', 1],
  ],
  [
    ['opens', 1],
    ['keeps details', 1],
    ['is declined', 5],
  ],
  [['opens, SumUp is away', 1]],
  [
    ['opens', 1],
    ['pays', 1],
  ],
]

export const story: Arbitrary<Step[]> = tuple(
  constantFrom(...beginnings),
  array(step, { minLength: 1, maxLength: longestStory, size: 'max' }),
).map(([beginning, rest]) =>
  [...beginning.map(([act, times]) => ({ act, times, buyer: 0 })), ...rest].slice(0, longestStory),
)

export function tell(steps: Step[]): string {
  return steps.map(({ act, buyer, times }) => `buyer ${buyer}, ×${times}: ${act}`).join('\n')
}
