import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { desc } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { openDesk } from '#server/testing/settings-desk.ts'

const { app, db, change } = await openDesk()
await change('language', { ofBuyers: 'browser' })

const statement = { name: 'Anna', orderNumber: '#1042', email: 'anna@example.com' }

async function findLastLanguage(): Promise<string | null | undefined> {
  const [last] = await db.select().from(withdrawals).orderBy(desc(withdrawals.createdAt)).limit(1)
  return last?.language
}

test('a statement keeps the language of its page, and is saved whatever is sent as one', async () => {
  for (const [language, kept] of [
    ['it', 'it'],
    [undefined, null],
    ['xx', null],
    [7, null],
  ] as const) {
    const payload = { ...statement, language }
    const answer = await app.inject({ method: 'POST', url: apiRoutes.withdrawals, payload })
    assert.equal(answer.statusCode, 202, answer.body)
    assert.equal(await findLastLanguage(), kept)
  }
})

test('the form without script keeps the language of its page', async () => {
  const payload = new URLSearchParams({ ...statement, step: 'confirm' }).toString()
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    'accept-language': 'fr-CH, de;q=0.5',
  }
  for (const [query, language] of [
    ['', 'fr'],
    ['?lang=nl', 'nl'],
  ]) {
    const url = `${apiRoutes.withdrawalForm}${query}`
    const answer = await app.inject({ method: 'POST', url, headers, payload })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(await findLastLanguage(), language)
  }
})
