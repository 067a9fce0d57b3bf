import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLanguage, fillText, languages } from './languages.ts'

const ask = (accepted?: string, chosen?: unknown) => chooseLanguage('browser', { accepted, chosen })

test('a page has the language that the browser asks for, where we have it', () => {
  for (const [accepted, language] of [
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    ['es-ES,es;q=0.9,it;q=0.5', 'it'],
    ['en;q=0.1, NL-be ; q=0.9', 'nl'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['pl', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['*', 'en'],
    [';;;,,,q=,de;q=x', 'en'],
    ['de,'.repeat(10_000), 'de'],
  ] as const)
    assert.equal(ask(accepted), language, accepted?.slice(0, 40))
})

test('what the buyer chooses wins over the browser, and the owner over both', () => {
  assert.equal(ask('de', 'fr'), 'fr')
  for (const nonsense of ['xx', '', ['fr'], { toString: 'fr' }, 'constructor', '__proto__'])
    assert.equal(ask('de', nonsense), 'de')
  assert.equal(chooseLanguage('nl', { accepted: 'de', chosen: 'fr' }), 'nl')
  assert.equal(chooseLanguage('en', { accepted: 'de', chosen: 'fr' }), 'en')
})

test('every language has a name and a locale that numbers and dates know', () => {
  for (const { locale } of Object.values(languages))
    assert.equal(new Intl.NumberFormat(locale).resolvedOptions().locale, locale)
})

test('values stand where a text names them, and are not looked into', () => {
  assert.equal(fillText('{a} and {b}', { a: '{b}', b: '2' }), '{b} and 2')
  assert.equal(fillText('no {place}', {}), 'no {place}')
})
