import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { attackBuyers } from './attack/buyers.ts'
import { attackInBrowser } from './attack/browser.ts'
import { attackWithFiles } from './attack/files.ts'
import { attackWithRandomRequests } from './attack/fuzz.ts'
import { payloads } from './attack/payloads.ts'
import { attackWithTexts } from './attack/texts.ts'
import { countFindings, describeFindings, type Findings } from './attack/findings.ts'

/* The short form of `npm run proof -- attack`, which is this file with --full and prints its figures. */
const options = { full: { type: 'boolean' }, seed: { type: 'string' } } as const
const { values } = parseArgs({ strict: false, options })
const isFull = values.full === true
const seed = Number(values.seed ?? 6)

function check(findings: Findings): void {
  const lines = describeFindings(findings)
  // oxlint-disable-next-line no-console -- the figures are what the proof is for
  if (isFull) console.log(lines.join('\n'))
  assert.equal(countFindings(findings), 0, `\n${lines.join('\n')}`)
}

test('a buyer’s checkout and order answer nobody else, not even another buyer', async () => {
  check(await attackBuyers())
})

test('no request, however odd, ends in an error of the server', async () => {
  check(await attackWithRandomRequests(isFull ? 20_000 : 1_500, seed))
})

test('no text that is stored runs where it is shown', async () => {
  const { findings, shop } = await attackWithTexts(isFull ? payloads : samplePayloads(16))
  check(findings)
  if (isFull) check(await attackInBrowser(shop, 40))
})

test('no file that is uploaded is served as anything but a picture', async () => {
  check(await attackWithFiles(!isFull))
})

function samplePayloads(count: number): string[] {
  const step = Math.floor(payloads.length / count)
  return payloads.filter((_text, at) => at % step === 0)
}
