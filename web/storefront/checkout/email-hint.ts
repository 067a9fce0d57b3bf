/** Where most buyers of the eight countries have their mail. Shorter names are too near to each other to guess. */
const knownDomains = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.fr',
  'yahoo.de',
  'hotmail.com',
  'hotmail.co.uk',
  'hotmail.fr',
  'hotmail.it',
  'outlook.com',
  'icloud.com',
  't-online.de',
  'orange.fr',
  'wanadoo.fr',
  'laposte.net',
  'libero.it',
  'virgilio.it',
  'btinternet.com',
  'telenet.be',
  'skynet.be',
  'ziggo.nl',
  'hetnet.nl',
  'comcast.net',
  'protonmail.com',
]
/** Real ones that are a slip away from a known one. */
const realNeighbours = ['mail.com', 'ymail.com', 'email.com', 'gmx.com', 'outlook.co', 'orange.it']

/** anna@gmial.com becomes anna@gmail.com: a suggestion, never an error. */
export function suggestEmail(email: string): string | undefined {
  const text = email.trim()
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1).toLowerCase()
  if (at < 1 || !domain.includes('.')) return undefined
  if (knownDomains.includes(domain) || realNeighbours.includes(domain)) return undefined
  const meant = knownDomains.find((known) => isOneSlipAway(domain, known))
  return meant && `${text.slice(0, at)}@${meant}`
}

/** One letter too many, one missing, one wrong, or two neighbours swapped. */
function isOneSlipAway(typed: string, meant: string): boolean {
  let start = 0
  while (start < typed.length && typed[start] === meant[start]) start += 1
  const typedRest = typed.slice(start)
  const meantRest = meant.slice(start)
  const isSwapped =
    typedRest[0] === meantRest[1] &&
    typedRest[1] === meantRest[0] &&
    typedRest.slice(2) === meantRest.slice(2)
  return (
    typedRest.slice(1) === meantRest ||
    typedRest === meantRest.slice(1) ||
    typedRest.slice(1) === meantRest.slice(1) ||
    isSwapped
  )
}
