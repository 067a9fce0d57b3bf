import type { FastifyRequest } from 'fastify'
import {
  chooseLanguage,
  findLanguage,
  languageCodes,
  languageQuery,
  type BuyersLanguage,
  type Language,
} from '#contract/languages.ts'
import type { PageLanguage } from '#contract/public-pages.ts'

type Asked = Pick<FastifyRequest, 'query' | 'headers'>

/** The language of a buyers' page, and where the others are if the buyer may choose. */
export function findPageLanguage(
  { buyersLanguage }: { buyersLanguage: BuyersLanguage },
  { query, headers }: Asked,
  /** Of an order, which keeps the language it was bought in. */
  { remembered = null, key }: { remembered?: Language | null; key?: string | undefined } = {},
): PageLanguage {
  const chosen = (query as Record<string, unknown> | undefined)?.[languageQuery]
  const asked = chooseLanguage(buyersLanguage, { chosen, accepted: headers['accept-language'] })
  if (buyersLanguage !== 'browser') return { language: remembered ?? asked, links: [] }
  return { language: findLanguage(chosen) ?? remembered ?? asked, links: listLinks(key) }
}

/** What a buyer is written in: as the order was bought, else as the owner chose, else English. */
export function findMailLanguage(
  { buyersLanguage }: { buyersLanguage: BuyersLanguage },
  remembered: Language | null,
): Language {
  return remembered ?? chooseLanguage(buyersLanguage, { chosen: undefined, accepted: undefined })
}

function listLinks(key: string | undefined): PageLanguage['links'] {
  return languageCodes.map((code) => {
    const query = new URLSearchParams({ ...(key && { key }), [languageQuery]: code })
    return { code, href: `?${query}` }
  })
}

/** What an order remembers: a buyer has a choice only where the owner gives it. */
export function findOrderLanguage(
  { buyersLanguage }: { buyersLanguage: BuyersLanguage },
  ofPage: Language | undefined,
): Language | undefined {
  return buyersLanguage === 'browser' ? ofPage : buyersLanguage
}
