import { isPolicyUrl } from '#contract/public-pages.ts'
import { isIdBeginning, isShortNumber } from '#contract/orders.ts'
import {
  isWithdrawable,
  readOrderNumber,
  withdrawId,
  withdrawLabel,
} from '#contract/withdrawals.ts'
import { en } from '#contract/texts/withdrawal/en.ts'
import { formatReceived, writeWithdrawalPolicy } from '#contract/withdrawal-text.ts'
import type { withdrawals } from '#server/db/order-schema.ts'
import { orderLink } from '#server/orders/order-link.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import {
  cleanLines,
  createMailbox,
  finishDraft,
  nameShop,
  oneLine,
  type Draft,
  type MailRow,
  type MailSettings,
} from './compose.ts'
import type { MailContent } from './render.ts'
import type { MailMessage } from './transport.ts'

export type WithdrawalRow = typeof withdrawals.$inferSelect

/**
 * Says that a statement was received, with what it says and when, and no more: whether it fits an order, and whether it is in
 * time, is not said. The address was typed by anybody, so that nothing in it is a link.
 */
export function composeAcknowledgement(
  mail: Pick<MailRow, 'id'>,
  statement: WithdrawalRow,
  settings: MailSettings,
): MailMessage | undefined {
  const { email, isTest, createdAt } = statement
  // Erased since.
  if (!email) return undefined
  const { shopEmail } = settings
  const shopName = nameShop(settings)
  const lead = 'We have received your statement that you withdraw from a purchase.'
  const draft: Draft = {
    audience: 'buyer',
    to: createMailbox(email, null),
    replyTo: shopEmail ? createMailbox(shopEmail, shopName) : undefined,
    subject: `We have received your withdrawal: ${shopName}`,
    content: {
      shopName,
      logo: undefined,
      preview: lead,
      title: 'Your withdrawal was received',
      lead,
      order: undefined,
      sections: [
        {
          title: 'Your statement',
          lines: ['I hereby withdraw from my contract of sale about the order named here.'],
        },
        { title: 'Order number', lines: [quoteNumber(statement)] },
        { title: 'Name', lines: [quoteName(statement)] },
        { title: 'Email', lines: [oneLine(email)] },
        { title: 'Received', lines: [formatReceived(createdAt, 'en')] },
      ],
      steps: [
        'Keep this mail: it shows what you have stated, and when.',
        'It confirms the receipt only. The shop looks at your withdrawal next.',
        'If you did not state this, please tell the shop.',
      ],
      button: undefined,
      closing: shopEmail
        ? { text: 'Questions? Reply to this mail, or write to', email: shopEmail }
        : undefined,
    },
  }
  return finishDraft(mail.id, draft, settings, { isTest, subject: 'order' })
}

const notQuoted = 'as you typed it'

/** Whoever typed the address may have typed anything else too, and the mail goes to somebody: only what looks like it. */
function quoteNumber({ orderNumber }: WithdrawalRow): string {
  const number = readOrderNumber(orderNumber)
  return isShortNumber(number) || isIdBeginning(number) ? number : notQuoted
}

function quoteName({ name }: WithdrawalRow): string {
  // Mail programs make links of a full stop between letters.
  const isName = /^[\p{L}\p{M} .,&()'’‘-]{1,100}$/u.test(name) && !/\.\p{L}{2}/u.test(name)
  return isName ? oneLine(name) : notQuoted
}

function hasRight(order: PaidOrder, { withdrawal }: MailSettings): boolean {
  return isWithdrawable(order, withdrawal.scope)
}

/** The function itself, open on the page of the order, where there is the right. */
export function withdrawalLink(
  order: PaidOrder,
  settings: MailSettings,
): Pick<MailContent, 'link'> {
  if (!hasRight(order, settings)) return {}
  const url = `${orderLink(settings.buyerOrigin, order, settings.secret)}#${withdrawId}`
  return { link: { label: withdrawLabel, url } }
}

/** What a confirmation says of the right of withdrawal, where there is one. */
export function withdrawalSection(
  order: PaidOrder,
  settings: MailSettings,
): MailContent['sections'] {
  if (!hasRight(order, settings)) return []
  const { policy } = settings.withdrawal
  const { shopName = null, shopEmail = null, postalAddress } = settings
  const seller = { name: shopName, email: shopEmail, postalAddress }
  const model = writeWithdrawalPolicy(seller, { ...en, here: withdrawLabel })
  const own = policy && isPolicyUrl(policy) ? [policy, ...model.slice(-1)] : [policy]
  const paragraphs = policy ? own : model
  return [
    {
      title: 'Right of withdrawal',
      lines: cleanLines([
        `You can withdraw online: choose “${withdrawLabel}” below, or on the page of your order.`,
        ...paragraphs.flatMap((text) => text?.split('\n') ?? []),
      ]),
    },
  ]
}
