import { conflictPlaces, type Conflict } from '#server/config.ts'
import { isLive, warn, type Check } from './check.ts'

/* What owners have to do once: say who they are, choose passwords, try the shop out. */

export const newShopChecks: Check[] = [
  // Buyers must know from whom they buy and whom to ask; the law of most countries says so too.
  {
    code: 'seller',
    shownIn: { doctor: true, notice: 'seller', step: 'shop' },
    async find(facts) {
      const { shop } = facts.config
      const live = await isLive(facts)
      const missing = [!shop.name && 'name', !shop.email && 'contact address'].filter(
        (part) => part !== false,
      )
      // In test mode only the set-up asks for it.
      if (missing.length === 0 || (!live && !facts.newShop)) return undefined
      const parts = `a ${missing.join(' and a ')}`
      return {
        level: live ? 'urgent' : 'note',
        title: live
          ? `Your shop takes money without ${parts}.`
          : `Buyers do not know yet from whom they buy: the shop needs ${parts}.`,
        ...(live && {
          text: 'Buyers see them at the checkout, in their receipt and in every mail. Without them they do not know whom they paid or whom to ask, and call their bank instead.',
        }),
        place: 'shop',
        setting: 'SHOP_NAME and SHOP_EMAIL',
      }
    },
  },
  {
    code: 'first password',
    shownIn: { step: 'password' },
    find({ newShop }) {
      if (!newShop?.isPasswordGenerated) return undefined
      const email = newShop.hasOwnEmail ? '' : ', and enter your email address'
      return warn(
        'The first password stands in a file on the server.',
        `Choose one of your own${email}.`,
      )
    },
  },
  {
    code: 'passwords',
    shownIn: { doctor: true, notice: 'passwords', step: 'password', start: 'ATTENTION' },
    after: 'migrations',
    async find(facts) {
      const username = await facts.findWeakAdmin?.()
      if (username === undefined) return undefined
      const isOwn = username === facts.admin?.username
      const live = await isLive(facts)
      return {
        level: live ? 'fail' : 'warn',
        title: `${isOwn ? 'Your password' : `The password of ${username}`} is easy to guess.`,
        ...(live && {
          text: 'This shop takes money, and whoever guesses it sees every order and can refund.',
        }),
        todo: live ? 'Change it now.' : 'Change it before the shop takes money.',
        ...(isOwn ? { place: 'account' } : { howTo: `npm run admin -- reset ${username}` }),
      }
    },
  },
  {
    code: 'product',
    shownIn: { step: 'product' },
    find: ({ newShop }) =>
      newShop?.hasProduct === false
        ? {
            level: 'note',
            title: 'A name, a price and a logo are enough.',
            todo: 'Each product gets a checkout link.',
          }
        : undefined,
  },
  {
    code: 'test order',
    shownIn: { step: 'test-order' },
    find: ({ newShop }) =>
      newShop?.hasOrder === false
        ? {
            level: 'note',
            title: 'No order has arrived yet.',
            todo: 'Open the checkout of your product and buy it, as your customers will.',
          }
        : undefined,
  },
  // What the owner saved contradicts what the environment says since.
  {
    code: 'settings in conflict',
    shownIn: { doctor: true, notice: 'settings' },
    find: ({ config }) =>
      config.conflicts.map((conflict) => ({
        level: 'urgent',
        ...conflictTexts[conflict],
        place: conflictPlaces[conflict],
      })),
  },
]

const conflictTexts: Record<Conflict, { title: string; text: string; todo: string }> = {
  'domains-alike': {
    title: 'An address that you saved is not used.',
    text: 'The public address and the domain for payment pages are the same host: one was saved here, the other is set in the environment of the shop, which wins.',
    todo: 'Enter another one.',
  },
  'mail-sender-missing': {
    title: 'The mail server that you saved is not used.',
    text: 'Mails have no sender any more, because the environment of the shop has changed.',
    todo: 'Enter one, or a contact address of the shop.',
  },
}
