import { join } from 'node:path'
import { filePost } from './file-post.ts'
import type { Post } from './post.ts'
import { smtpPost } from './smtp-post.ts'

/** Without a mail server letters become files that a mail program opens, so that nothing is lost or hidden. */
export function openPost(config: { dataDir: string; mail: { smtpUrl: string | undefined } }): Post {
  const { smtpUrl } = config.mail
  return smtpUrl ? smtpPost(smtpUrl) : filePost(join(config.dataDir, 'mail'))
}
