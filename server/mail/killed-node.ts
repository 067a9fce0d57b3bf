import { pino } from 'pino'
import { openDatabase } from '#server/db/database.ts'
import { sendDueMails } from './outbox.ts'
import { smtpPost } from './smtp-post.ts'
import { letterhead } from './test-orders.ts'

/** For tests: a node that is killed after its mail has left and before it could note that. */
const [connection = '', url = ''] = process.argv.slice(2)
const { db } = openDatabase(JSON.parse(connection), () => {})
const post = smtpPost(url)

await sendDueMails({
  db,
  letterhead,
  log: pino({ level: 'silent' }),
  post: {
    ...post,
    async send(letter, mail) {
      await post.send(letter, mail)
      process.kill(process.pid, 'SIGKILL')
    },
  },
})
