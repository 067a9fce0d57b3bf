import type { Letter } from './letter.ts'

/** How letters leave the house: through a mail server, or into a folder. */
export type Post = {
  /** Resolves when the letter is in other hands, and always ends before a lease of the outbox does. */
  send: (letter: Letter, mail: { id: string; kind: string; createdAt: Date }) => Promise<void>
  /** Whatever is under way fails; it will be tried again. */
  close: () => void
}
