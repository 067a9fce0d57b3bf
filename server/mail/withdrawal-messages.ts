import { isPolicyUrl } from '#contract/public-pages.ts'
import { isIdBeginning, isShortNumber } from '#contract/orders.ts'
import { fillText, type Language } from '#contract/languages.ts'
import { isWithdrawable, readOrderNumber, withdrawId } from '#contract/withdrawals.ts'
import { withdrawalTextsOf } from '#contract/texts/all.ts'
import { formatReceived, writeWithdrawalPolicy } from '#contract/withdrawal-text.ts'
import type { withdrawals } from '#server/db/order-schema.ts'
import { findMailLanguage } from '#server/http/page-language.ts'
import { orderLink } from '#server/orders/order-link.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import {
  addressBuyer,
  cleanLines,
  finishDraft,
  inviteQuestions,
  nameShop,
  oneLine,
  type Draft,
  type MailRow,
  type MailSettings,
} from './compose.ts'
import type { MailContent } from './render.ts'
import { speak, type Spoken } from './spoken.ts'
import type { MailMessage } from './transport.ts'

export type WithdrawalRow = typeof withdrawals.$inferSelect

/**
 * Says that a statement was received, with what it says and when, and no more: whether it fits an order, and whether it is in
 * time, is not said. The address was typed by anybody, so that nothing in it is a link. It is
 * written in the language in which it was stated, else in that of the order it fits.
 */
export function composeAcknowledgement(
  mail: Pick<MailRow, 'id'>,
  statement: WithdrawalRow,
  settings: MailSettings,
  languageOfOrder: Language | null = null,
): MailMessage | undefined {
  const { email, isTest, createdAt } = statement
  // Erased since.
  if (!email) return undefined
  const spoken = speak(findMailLanguage(settings, statement.language ?? languageOfOrder))
  const { labels, subjectOfShop, withdrawal: texts } = spoken.texts
  const shopName = nameShop(settings)
  const draft: Draft = {
    ...addressBuyer(email, null, shopName, settings),
    subject: fillText(subjectOfShop, { subject: texts.subject, shop: shopName }),
    content: {
      language: spoken.language,
      shopName,
      logo: undefined,
      preview: texts.lead,
      title: spoken.shared.withdrawal.received,
      lead: texts.lead,
      order: undefined,
      sections: [
        { title: texts.yourStatement, lines: [texts.statement] },
        { title: labels.orderNumber, lines: [quoteNumber(statement) ?? texts.notQuoted] },
        { title: texts.name, lines: [quoteName(statement) ?? texts.notQuoted] },
        { title: texts.email, lines: [oneLine(email)] },
        { title: texts.received, lines: [formatReceived(createdAt, spoken.language)] },
      ],
      steps: [texts.keep, texts.receiptOnly, texts.notYou],
      button: undefined,
      closing: inviteQuestions(settings, spoken),
    },
  }
  return finishDraft(mail.id, draft, settings, { isTest, subject: 'order' })
}

/** Whoever typed the address may have typed anything else too, and the mail goes to somebody: only what looks like it. */
function quoteNumber({ orderNumber }: WithdrawalRow): string | undefined {
  const number = readOrderNumber(orderNumber)
  return isShortNumber(number) || isIdBeginning(number) ? number : undefined
}

/** In a mail to who has an order; to anybody only what is too short and plain to be a message. */
const nameOfBuyer = /^[\p{L}\p{M} .,&()'’‘-]{1,100}$/u
const nameOfStranger = /^[\p{L}\p{M} .'’‘-]{1,30}$/u

function quoteName({ name, orderId }: WithdrawalRow): string | undefined {
  const pattern = orderId === null ? nameOfStranger : nameOfBuyer
  // Mail programs make links of a full stop between letters.
  return pattern.test(name) && !/\.\p{L}{2}/u.test(name) ? oneLine(name) : undefined
}

function hasRight(order: PaidOrder, { withdrawal }: MailSettings): boolean {
  return isWithdrawable(order, withdrawal.scope)
}

/** The function itself, open on the page of the order, where there is the right. */
export function withdrawalLink(
  order: PaidOrder,
  settings: MailSettings,
  { shared }: Spoken,
): Pick<MailContent, 'link'> {
  if (!hasRight(order, settings)) return {}
  const url = `${orderLink(settings.buyerOrigin, order, settings.secret)}#${withdrawId}`
  return { link: { label: shared.withdrawal.here, url } }
}

/** What a confirmation says of the right of withdrawal, where there is one. */
export function withdrawalSection(
  order: PaidOrder,
  settings: MailSettings,
  { language, texts, shared }: Spoken,
): MailContent['sections'] {
  if (!hasRight(order, settings)) return []
  const { policy } = settings.withdrawal
  const { here, policy: title } = shared.withdrawal
  const { shopName = null, shopEmail = null, postalAddress } = settings
  const seller = { name: shopName, email: shopEmail, postalAddress, sendsMails: true }
  const model = writeWithdrawalPolicy(seller, { ...withdrawalTextsOf[language], here })
  const own = policy && isPolicyUrl(policy) ? [policy, ...model.slice(-1)] : [policy]
  const paragraphs = policy ? own : model
  return [
    {
      title,
      lines: cleanLines([
        fillText(texts.withdrawal.online, { here }),
        ...paragraphs.flatMap((text) => text?.split('\n') ?? []),
      ]),
    },
  ]
}
