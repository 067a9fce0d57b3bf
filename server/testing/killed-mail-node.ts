import { pino } from 'pino'
import { openDatabase } from '#server/db/database.ts'
import { sendDueMails } from '#server/mail/outbox.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { mailSettings } from './mails.ts'

/** A node that is killed after its mail was sent and before it could record that. */
const [connection = '', url = ''] = process.argv.slice(2)
const { db } = openDatabase(JSON.parse(connection), () => {})
const transport = smtpTransport(url)

await sendDueMails({
  db,
  settings: mailSettings,
  log: pino({ level: 'silent' }),
  transport: {
    ...transport,
    async send(message, mail) {
      await transport.send(message, mail)
      process.kill(process.pid, 'SIGKILL')
    },
  },
})
