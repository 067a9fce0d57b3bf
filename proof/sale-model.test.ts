import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { assert, asyncProperty, type RunDetails } from 'fast-check'
import { play, type Act, type Step } from './model/acts.ts'
import { endStory } from './model/end-story.ts'
import { story, tell } from './model/steps.ts'
import { beginStory, openModelShop } from './model/story.ts'

const options = { runs: { type: 'string' }, seed: { type: 'string' } } as const
const { values } = parseArgs({ strict: false, options })
const runs = Number(values.runs ?? 80)
/** Far longer than any story takes: one that hangs is told like one that fails, and shortened. */
const longestStoryMs = 15_000
const shop = await openModelShop()

test(`${runs} random sales: paid and ordered are the same, whatever comes in between`, async () => {
  await assert(asyncProperty(story, tellStory), {
    numRuns: runs,
    ...(values.seed !== undefined && { seed: Number(values.seed) }),
    reporter,
    timeout: longestStoryMs,
  })
})

/** Stories that went wrong once. */
const known: [string, [Act, number][]][] = [
  [
    'a card is paid while the news of five declined ones is on its way: the order comes',
    [
      ['opens', 1],
      ['keeps details', 1],
      ['is declined', 5],
      ['sweep, the answers wait', 1],
      ['pays', 1],
      ['webhook', 1],
      ['answers arrive', 1],
    ],
  ],
  [
    'a checkout is opened and paid while the news that there is none is on its way: the order comes',
    [
      ['opens, SumUp is away', 1],
      ['sweep, the answers wait', 1],
      ['opens', 1],
      ['keeps details', 1],
      ['pays', 1],
      ['webhook', 1],
      ['answers arrive', 1],
    ],
  ],
  [
    'the bank says yes while the news that it expired is on its way: the order comes',
    [
      ['opens', 1],
      ['keeps details', 1],
      ['pays, the bank asks', 1],
      ['SumUp expires it', 1],
      ['sweep, the answers wait', 1],
      ['the bank approves', 1],
      ['webhook', 1],
      ['answers arrive', 1],
    ],
  ],
  [
    'a sale in review is charged a second time: the owner sees both payments',
    [
      ['opens', 1],
      ['pays', 1],
      ['looks', 1],
      ['SumUp charges twice', 1],
      ['owner refunds', 1],
    ],
  ],
]

for (const [what, steps] of known) {
  test(what, () => tellStory(steps.map(([act, times]) => ({ act, times, buyer: 0 }))))
}

async function tellStory(steps: Step[]): Promise<void> {
  const begun = await beginStory(shop)
  for (const step of steps) await play(begun, step)
  await endStory(begun)
}

function reporter(out: RunDetails<[Step[]]>): void {
  if (!out.failed) return
  const [steps = []] = out.counterexample ?? []
  throw new Error(`after ${out.numRuns} sales (seed ${out.seed}):\n${tell(steps)}`, {
    cause: out.errorInstance,
  })
}
