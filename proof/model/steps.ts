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
import { allActs, bankActs, usualActs, type Act, type Step } from './acts.ts'

const longestStory = 14

/** The ways to money come oftener, so that most stories get that far. */
const step: Arbitrary<Step> = record({
  act: oneof(
    { weight: 2, arbitrary: constantFrom(...usualActs) },
    { weight: 1, arbitrary: constantFrom(...bankActs) },
    { weight: 4, arbitrary: constantFrom(...allActs) },
  ),
  buyer: oneof({ weight: 4, arbitrary: constant(0) }, integer({ min: 0, max: 2 })),
  times: integer({ min: 1, max: 5 }),
})

/** Nobody, or a buyer at the card form, at the bank, at their last card, without a form, or paid too early. */
const beginnings: [Act, number][][] = [
  [],
  [
    ['opens', 1],
    ['keeps details', 1],
  ],
  [
    ['opens', 1],
    ['keeps details', 1],
    ['pays, the bank asks', 1],
  ],
  [
    ['opens', 1],
    ['keeps details', 1],
    ['pays', 1],
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
