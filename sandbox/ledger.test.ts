import assert from 'node:assert/strict'
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openLedger } from './ledger.ts'
import type { Checkout } from './records.ts'
import { startSandbox } from './sandbox.ts'
import { createCalls, cards, openReceiver } from './testing/sandbox.ts'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'till-sandbox-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The sandbox as a program of its own, on a state file. */
async function startProgram(stateFile: string, env: Record<string, string> = {}) {
  const child = fork(program, {
    env: { PORT: '0', STATE_FILE: stateFile, API_KEY: 'sup_sk_restart', ...env },
    silent: true,
  })
  after(() => child.kill('SIGKILL'))
  const [account] = (await once(child, 'message')) as [
    { url: string; apiKey: string; merchantCode: string; sdkUrl: string },
  ]
  return { child, ...account, ...createCalls(account) }
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown[]> {
  child.kill(signal)
  return once(child, 'exit')
}

test('a kill loses no checkout that was answered: paid, failed, waiting, refunded', async () => {
  const file = join(folder, 'killed', 'state.jsonl')
  const first = await startProgram(file)
  const [paid, failed, waiting, open] = await Promise.all(
    Array.from({ length: 4 }, () => first.create()),
  )
  const { transaction_id: transaction } = (await first.pay(paid.id)).body
  await first.pay(failed.id, cards.refused)
  const { next_step: step } = (await first.pay(waiting.id, cards.challenged)).body
  const refunds = `/v1.0/merchants/${first.merchantCode}/payments/${transaction}/refunds`
  await first.call('POST', refunds, { amount: 1 })
  const seen = await Promise.all([paid, failed, waiting, open].map(({ id }) => first.read(id)))
  await kill(first.child, 'SIGKILL')
  // A kill in the middle of a write leaves half a line.
  appendFileSync(file, '{"checkout":{"id":"half')

  const second = await startProgram(file)
  const again = await Promise.all([paid, failed, waiting, open].map(({ id }) => second.read(id)))
  assert.deepEqual(again, seen)
  assert.equal((await second.call('POST', refunds, { amount: 9.11 })).status, 422)
  const reused = { checkout_reference: open.checkout_reference }
  assert.equal((await second.create(reused)).error_code, 'DUPLICATED_CHECKOUT')
  await fetch(step.payload.TermUrl.replace(first.url, second.url), {
    method: 'POST',
    body: new URLSearchParams({ MD: step.payload.MD, outcome: 'approve' }),
  })
  assert.equal((await second.read(waiting.id)).status, 'PAID')
  await kill(second.child, 'SIGTERM')
})

test('a notification that was not taken, and a bank that answers late, outlive a kill', async () => {
  const file = join(folder, 'late.jsonl')
  const receiver = await openReceiver()
  receiver.answerWith(500)
  const first = await startProgram(file, { WEBHOOK_DELAYS_MS: '1' })
  const { id } = await first.create({ return_url: receiver.url })
  const late = { on: 'webhook', kind: 'webhook-late', ms: 1000, count: 1 }
  const slow = { on: 'process', kind: 'late-paid', ms: 1000, count: 1 }
  await first.call('POST', '/sandbox/faults', { rules: [late] })
  await first.pay(id)
  await first.call('POST', '/sandbox/faults', { rules: [slow] })
  const slowly = await first.create({ return_url: receiver.url })
  await first.pay(slowly.id)
  await kill(first.child, 'SIGKILL')

  const second = await startProgram(file, { WEBHOOK_DELAYS_MS: '1' })
  // The one that was not taken comes again, the slow one once or, where its answer was lost, twice.
  const ids = () => receiver.arrived.map((event) => event.id)
  const isComplete = () => ids().indexOf(id) !== ids().lastIndexOf(id) && ids().includes(slowly.id)
  for (let count = 3; !isComplete(); count += 1) await receiver.waitFor(count)
  assert.deepEqual(new Set(ids()), new Set([id, slowly.id]))
  assert.equal((await second.read(slowly.id)).status, 'PAID')
  second.child.disconnect()
  assert.deepEqual(await once(second.child, 'exit'), [0, null])
})

test('the file holds no card, and shrinks to what is left at the next start', async () => {
  const stateFile = join(folder, 'small.jsonl')
  const first = await startSandbox({ stateFile })
  const { create, pay } = createCalls(first)
  const { id } = await create()
  for (let index = 0; index < 5; index += 1) await pay(id, cards.refused)
  await pay(id)
  assert.doesNotMatch(readFileSync(stateFile, 'utf8'), /4200000000000091|4012001037461114|Lovelace/)
  await first.close()
  const lines = () => readFileSync(stateFile, 'utf8').trim().split('\n').length
  assert.ok(lines() > 5)
  await (await startSandbox({ stateFile })).close()
  assert.equal(lines(), 1)
})

test('a reference given up long ago is still taken after two restarts', async () => {
  const stateFile = join(folder, 'references.jsonl')
  const sandbox = await startSandbox({ stateFile })
  const { create, call } = createCalls(sandbox)
  const { id } = await create({ checkout_reference: 'old' })
  await call('PATCH', `/v0.1/checkouts/${id}`, { checkout_reference: 'new' })
  await sandbox.close()
  await (await startSandbox({ stateFile })).close()
  const third = await startSandbox({ stateFile })
  for (const reference of ['old', 'new']) {
    const { error_code: code } = await createCalls(third).create({ checkout_reference: reference })
    assert.equal(code, 'DUPLICATED_CHECKOUT')
  }
  await third.close()
})

test('a second start on a taken port fails and leaves the state alone', async () => {
  const stateFile = join(folder, 'taken.jsonl')
  const first = await startSandbox({ stateFile })
  const { create, pay } = createCalls(first)
  const { id } = await create()
  const env = { PORT: new URL(first.url).port, STATE_FILE: stateFile }
  const second = spawn(process.execPath, [program], { env })
  const [errors, [code]] = await Promise.all([second.stderr.toArray(), once(second, 'exit')])
  assert.equal(code, 1)
  assert.match(errors.join(''), /PORT/)
  await pay(id)
  await first.close()
  const third = await startSandbox({ stateFile })
  assert.equal((await createCalls(third).read(id)).status, 'PAID')
  await third.close()
})

test('a wrong setting stops the start with its name', async () => {
  const child = spawn(process.execPath, [program], { env: { PORT: '80a' } })
  const [errors, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')])
  assert.equal(code, 1)
  assert.match(errors.join(''), /PORT/)
})

test('the oldest checkouts without a payment are forgotten, and the file stays short', () => {
  const file = join(folder, 'bounded', 'state.jsonl')
  const ledger = openLedger(file, 100)
  ledger.begin()
  const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000
  const open = (index: number, more: Partial<Checkout> = {}): void => {
    const id = `checkout-${index}`
    const money = { amountMinor: 100, currency: 'EUR', status: 'PENDING' } as const
    const names = { id, reference: id, formerReferences: [], merchantCode: 'M' }
    const times = { createdAt: hoursAgo(2), validUntil: null }
    ledger.save({ ...names, ...money, ...times, transactions: [], ...more })
  }
  const paid = { id: 'payment', code: 'T1' } as Checkout['transactions'][number]
  open(0, { transactions: [paid] })
  open(1, { createdAt: hoursAgo(0) })
  for (let index = 2; index < 1_000; index += 1) open(index)
  const lines = () => readFileSync(file, 'utf8').split('\n').length - 1
  assert.ok(ledger.listCheckouts().length <= 100)
  assert.ok(lines() <= 400, `${lines()} lines`)
  assert.equal(ledger.findTransaction('T1')?.checkout.id, 'checkout-0')
  for (const [id, isKnown] of [
    ['checkout-1', true],
    ['checkout-2', false],
    ['checkout-999', true],
  ] as const) {
    assert.equal(ledger.findCheckout(id) !== undefined, isKnown, id)
    assert.equal(ledger.isReferenceTaken('M', id), isKnown, id)
  }
  ledger.close()
  const again = openLedger(file, 100)
  const lost = ledger.listCheckouts().filter(({ id }) => !again.findCheckout(id))
  assert.equal(lost.length, 0)
})
