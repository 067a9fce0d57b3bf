import type { Mailbox } from './mailbox.ts'

/** A mail as it leaves: the same words as HTML and as plain text. */
export type Letter = {
  from: Mailbox
  to: Mailbox
  replyTo: Mailbox | undefined
  subject: string
  text: string
  html: string
  /** The same however often it is sent, so that receivers can drop a repeat. */
  messageId: string
  headers: Record<string, string>
}
