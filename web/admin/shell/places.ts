/**
 * Every place of `?settings=`: the dialog it is in, the title of its section, and other words that people look for. The
 * dialogs take their titles from here, and the command palette offers them all.
 */
export const places = {
  account: { dialog: 'Account', title: 'Password', words: 'change sign in' },
  security: {
    dialog: 'Account',
    title: 'Sign-in',
    words: 'second factor 2fa authenticator recovery codes sessions browsers devices security',
  },
  people: { dialog: 'Account', title: 'People', words: 'admins users team invite disable' },
  log: { dialog: 'Account', title: 'Log', words: 'audit history who did what' },
} as const

export type PlaceName = keyof typeof places
