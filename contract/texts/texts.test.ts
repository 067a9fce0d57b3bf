import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageCodes } from '#contract/languages.ts'
import {
  checkoutTextsOf,
  mailTextsOf,
  methodTextsOf,
  pageTextsOf,
  priceTextsOf,
  textsWithMethods,
  withdrawalTextsOf,
} from './all.ts'

const dictionaries = {
  checkout: checkoutTextsOf,
  mails: mailTextsOf,
  methods: methodTextsOf,
  pages: pageTextsOf,
  prices: priceTextsOf,
  withdrawal: withdrawalTextsOf,
}

/** Every text by its place in the dictionary, such as 'confirmation.subject'. */
function listTexts(dictionary: unknown, place = ''): [place: string, text: string][] {
  if (typeof dictionary === 'string') return [[place, dictionary]]
  return Object.entries(dictionary as object).flatMap(([name, inner]) =>
    listTexts(inner, place ? `${place}.${name}` : name),
  )
}

const listPlaceholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted()

/** Type checks see missing texts, but neither missing paragraphs nor what stands in a text. */
test('every language has every text, with the placeholders that the English one has', () => {
  for (const [name, dictionary] of Object.entries(dictionaries)) {
    const english = listTexts(dictionary.en)
    for (const code of languageCodes) {
      const texts = new Map(listTexts(dictionary[code]))
      const places = english.map(([place]) => place)
      assert.deepEqual([...texts.keys()].toSorted(), places.toSorted(), `${name}, ${code}`)
      for (const [place, original] of english) {
        const text = texts.get(place) ?? ''
        const where = `${name}, ${code}, ${place}: ${text}`
        assert.deepEqual(listPlaceholders(text), listPlaceholders(original), where)
        assert.equal(text.trim() === '', original.trim() === '', where)
        assert.doesNotMatch(text.replaceAll(/\{\w+\}/g, ''), /[{}]/, where)
      }
    }
  }
})

test('a shop with other ways to pay replaces texts that a checkout has, and adds none', () => {
  for (const code of languageCodes) {
    const places = (dictionary: unknown) => listTexts(dictionary).map(([place]) => place)
    const { texts } = textsWithMethods(code)
    assert.deepEqual(places(texts), places(checkoutTextsOf[code]))
    const replaced = new Map(listTexts(texts))
    for (const [place, text] of listTexts(methodTextsOf[code].instead))
      assert.equal(replaced.get(place), text, `${code}, ${place}`)
  }
})
