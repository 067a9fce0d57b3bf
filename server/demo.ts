/* How what `npm run seed` makes up is told from what the shop sold. */

/** Ids of payments start so, where real ones have SumUp's ids. */
export const demoPrefix = 'demo-'

export const demoProductPrefix = 'de300000-0000-4000-a000-'

/** Not a real account, so that nobody can refund what was never paid. */
export const demoAccount = 'DEMO'
