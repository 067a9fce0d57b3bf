import type { TextsLike } from '#contract/languages.ts'

/** The instructions on withdrawal and the model form, after Annex I of Directive 2011/83/EU. */
export const en = {
  theShop: 'the shop',
  /** Only of a shop that sends mails. */
  confirmed: ' We then confirm by email without delay that we have received your withdrawal.',
  instructions: [
    'You have the right to withdraw from this contract within 14 days without giving any reason. The withdrawal period ends 14 days after the day on which you, or somebody you name who is not the carrier, receive the goods.',
    'To withdraw, tell us ({seller}) by a clear statement, such as a letter or an email, that you withdraw from this contract. You may use the model form below, but you need not.',
    'You can also withdraw online: choose “{here}” at the foot of the page where you bought, or on the page of your order.{confirmed}',
    'It is enough that you send your statement before the withdrawal period has ended.',
    'If you withdraw, we pay back all payments that we have received from you, including the cost of standard delivery, without undue delay and at the latest 14 days after the day on which we learn of your withdrawal. We use the means of payment that you used, unless we have expressly agreed otherwise, and charge you nothing for it. We may wait until we have the goods back, or until you have shown that you sent them, whichever is earlier.',
    'Send the goods back to us without undue delay and at the latest 14 days after the day on which you told us of your withdrawal. It is enough that you send them before the 14 days have ended. You bear the direct cost of returning the goods. You are liable only for a loss of value that comes from handling the goods more than is necessary to find out what they are and how they work.',
    'There is no right of withdrawal for goods that are made to your wishes or clearly personalised, nor for goods that spoil or expire quickly.',
  ],
  form: [
    'Model withdrawal form',
    '(Fill in and return this form only if you wish to withdraw from the contract.)',
    'To {seller}:',
    'I/We (*) hereby give notice that I/we (*) withdraw from my/our (*) contract of sale of the following goods:',
    'Ordered on (*) / received on (*):',
    'Name of consumer(s):',
    'Address of consumer(s):',
    'Signature of consumer(s) (only on paper):',
    'Date:',
    '(*) Delete as appropriate.',
  ],
}

/** The same texts in any language. */
export type WithdrawalTexts = TextsLike<typeof en>
