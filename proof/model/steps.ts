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
import {
  actions,
  allActions,
  bankActions,
  needsForm,
  usualActions,
  wishActions,
  withoutForm,
  type Action,
} from './actions.ts'
import type { Scenario } from './scenario.ts'

/** One action of one buyer. */
export type Step = { act: Action; buyer: number; times: number }

export async function runStep(scenario: Scenario, { act, buyer, times }: Step): Promise<void> {
  const session = scenario.sessions[buyer]
  const isPossible = session?.checkoutId !== '' || (withoutForm.has(act) && !needsForm.has(act))
  if (session && isPossible) await actions[act](scenario, session, times)
}

const maxSteps = 14

/** The usual actions are more frequent, so that most scenarios get as far as a payment. */
const step: Arbitrary<Step> = record({
  act: oneof(
    { weight: 2, arbitrary: constantFrom(...usualActions) },
    { weight: 1, arbitrary: constantFrom(...bankActions) },
    { weight: 1, arbitrary: constantFrom(...wishActions) },
    { weight: 4, arbitrary: constantFrom(...allActions) },
  ),
  buyer: oneof({ weight: 4, arbitrary: constant(0) }, integer({ min: 0, max: 2 })),
  times: integer({ min: 1, max: 5 }),
})

/**
 * Nobody, a buyer at the form, at the bank, paid, at the last card, without a form, paid without details, a refund that is
 * not done yet, charged twice, or a price with delivery, with a code or for what is picked up.
 */
const beginnings: [Action, number][][] = [
  [],
  [
    ['opens', 1],
    ['saves details', 1],
  ],
  [
    ['opens', 1],
    ['saves details', 1],
    ['pays, the bank asks', 1],
  ],
  [
    ['opens', 1],
    ['saves details', 1],
    ['pays', 1],
  ],
  [
    ['opens', 1],
    ['saves details', 1],
    ['is declined', 5],
  ],
  [['opens, SumUp is down', 1]],
  [
    ['opens', 1],
    ['pays', 1],
  ],
  [
    ['opens', 1],
    ['pays', 1],
    ['reads the state', 1],
    ['refunds stay pending', 1],
    ['owner refunds', 1],
  ],
  [
    ['opens', 1],
    ['saves details', 1],
    ['pays', 1],
    ['orders', 1],
    ['SumUp charges twice', 1],
    ['comparison', 1],
  ],
  [
    ['delivery changes', 1],
    ['opens for another country', 1],
    ['saves details', 1],
  ],
  [
    ['delivery changes', 1],
    ['opens with a code', 2],
    ['saves details', 1],
    ['pays', 1],
  ],
  [
    ['delivery changes', 1],
    ['opens to pick up', 1],
    ['saves details', 1],
    ['pays', 1],
  ],
]

export const stepsArbitrary: Arbitrary<Step[]> = tuple(
  constantFrom(...beginnings),
  array(step, { minLength: 1, maxLength: maxSteps, size: 'max' }),
).map(([beginning, rest]) =>
  [...beginning.map(([act, times]) => ({ act, times, buyer: 0 })), ...rest].slice(0, maxSteps),
)

export function formatSteps(steps: Step[]): string {
  return steps.map(({ act, buyer, times }) => `buyer ${buyer}, ×${times}: ${act}`).join('\n')
}
