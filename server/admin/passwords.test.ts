import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, refusals, type RefusalCode } from '#contract/refusals.ts'
import { createInTurnQueue } from '#server/in-turn-queue.ts'
import { findPasswordFault, generatePassword, hashPassword, verifyPassword } from './passwords.ts'

const names = { username: 'shopkeeper', email: 'ada.miller@example.com' }

test('passwords that attackers try first are refused, good ones are not', async () => {
  const wanted: Record<string, RefusalCode | undefined> = {
    'short 1!': 'password-short',
    Password123: 'password-common',
    qwertyuiop: 'password-common',
    '12345678901234567890': 'password-common',
    'P@ssw0rd2026': 'password-common',
    xxxxxxxxxxxxxxxxxxxx: 'password-common',
    shopkeeper1: 'password-common',
    Shopkeeper: 'password-personal',
    'Ada.Miller': 'password-personal',
    'ada.miller@example.com ': 'password-personal',
    'a long sentence is a good password': undefined,
    'correct horse battery staple': undefined,
    'gk4!vPq2#x': undefined,
    'ünïcödé füllt die Länge': undefined,
  }
  for (const [password, fault] of Object.entries(wanted))
    assert.equal(await findPasswordFault(password, names), fault, password)
  assert.equal(await findPasswordFault(generatePassword(), names), undefined)
  assert.match(refusals['password-short'].text, /at least 10 characters/)
})

test('the longest password is checked', async () => {
  const long = 'p@ssw0rd$1'.repeat(102)
  assert.equal(await findPasswordFault(long, names), 'password-common')
  const random = Array.from({ length: 50 }, generatePassword).join('')
  assert.equal(await findPasswordFault(random, names), undefined)
})

test('a password matches its own hash only, also one that another program made', async () => {
  /** From the tests of Argon2's reference implementation: the password is "password". */
  const reference =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  const own = await hashPassword('grün wie der Wald')
  const isMatch = (hash: string, password: string) => verifyPassword(hash, password, {})
  assert.equal(await isMatch(reference, 'password'), true)
  assert.equal(await isMatch(reference, 'Password'), false)
  assert.equal(await isMatch(own, 'grün wie der Wald'), true)
  assert.equal(await isMatch(own, ''), false)
  assert.notEqual(await hashPassword('grün wie der Wald'), own, 'each has its own salt')
  await assert.rejects(isMatch('$2b$10$abcdefghijklmnopqrstuv', 'password'), /argon2id/)
})

test('one address cannot fill the queue of sign-ins', async () => {
  const flood = Array.from({ length: 30 }, () =>
    verifyPassword(undefined, 'guess', { key: 'stranger' }),
  )
  const owner = verifyPassword(undefined, 'guess', { key: 'owner' })
  const tries = await Promise.allSettled(flood)
  assert.equal(tries.filter(({ status }) => status === 'rejected').length, 30 - 10)
  assert.equal(await owner, false)
})

test('a known device has its turn before strangers, also when they fill the queue', async () => {
  const inTurn = createInTurnQueue({
    maxRunning: 1,
    maxWaiting: 2,
    maxPerKey: 1,
    refuse: () => new Refusal('too-many-logins'),
  })
  const done: string[] = []
  const first = Promise.withResolvers<void>()
  const run = (name: string, isKnown: boolean, task = async () => {}) =>
    inTurn(
      async () => {
        await task()
        done.push(name)
      },
      { key: name, isKnown },
    )
  const strangers = [run('1', false, () => first.promise), run('2', false), run('3', false)]
  await assert.rejects(run('4', false), { code: 'too-many-logins' })
  const owner = run('owner', true)
  await assert.rejects(run('owner', true), { code: 'too-many-logins' }, 'each key has one place')
  first.resolve()
  await Promise.all([...strangers, owner])
  assert.deepEqual(done, ['1', 'owner', '2', '3'])
  await run('4', false)
  assert.equal(done.at(-1), '4', 'its place is free again')
})
