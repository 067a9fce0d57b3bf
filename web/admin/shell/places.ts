import type { AccountPlace, SettingsPlace } from '#contract/admin.ts'

export type DialogName = 'Account' | 'Settings'

type Place = { dialog: DialogName; title: string; words: string }

/**
 * Every place of `?settings=`: the dialog it is in, the title of its section, and other words that people look for. The
 * dialogs take their titles from here, and the command palette offers them all.
 */
export const places: Record<SettingsPlace, Place> = {
  shop: {
    dialog: 'Settings',
    title: 'Shop',
    words: 'name contact email e-mail address imprint logo time zone',
  },
  sumup: { dialog: 'Settings', title: 'SumUp', words: 'payments key merchant code account money' },
  methods: {
    dialog: 'Settings',
    title: 'Methods',
    words:
      'ways to pay payment wallets apple google pay paypal ideal bancontact eps blik p24 twint',
  },
  tax: { dialog: 'Settings', title: 'VAT', words: 'tax rate number' },
  policies: {
    dialog: 'Settings',
    title: 'Policies',
    words: 'refund shipping privacy terms of service right of withdrawal',
  },
  delivery: {
    dialog: 'Settings',
    title: 'Delivery',
    words: 'countries shipping price cost free pickup collect store hours',
  },
  mail: { dialog: 'Settings', title: 'Mail', words: 'smtp server sender email e-mail test' },
  texts: {
    dialog: 'Settings',
    title: 'Texts',
    words: 'mail confirmation shipped refunded opening sentence email e-mail preview',
  },
  links: {
    dialog: 'Settings',
    title: 'Links',
    words: 'preview card whatsapp price title search engines google index seo',
  },
  language: {
    dialog: 'Settings',
    title: 'Language',
    words: 'translation german french italian dutch deutsch français italiano nederlands',
  },
  address: { dialog: 'Settings', title: 'Address', words: 'public url custom domain' },
  retention: { dialog: 'Settings', title: 'Data', words: 'retention keep delete privacy days' },
  alerts: { dialog: 'Settings', title: 'Alerts', words: 'notifications trouble mails' },
  account: { dialog: 'Account', title: 'Password', words: 'change log in sign in' },
  security: {
    dialog: 'Account',
    title: 'Security',
    words:
      'log in sign in second factor 2fa authenticator recovery codes sessions browsers devices',
  },
  people: { dialog: 'Account', title: 'People', words: 'admins users team invite disable' },
  news: {
    dialog: 'Account',
    title: 'Notifications',
    words: 'sound beep notification desktop new orders',
  },
  log: { dialog: 'Account', title: 'Log', words: 'audit history who did what' },
}

export function isAccountPlace(place: string): place is AccountPlace {
  return Object.hasOwn(places, place) && places[place as SettingsPlace].dialog === 'Account'
}
