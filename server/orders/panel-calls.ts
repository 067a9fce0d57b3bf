import { z } from 'zod'
import { adminOrder, orderEvent, orderNote } from '#contract/answers/orders.ts'
import { correctionSchema, noteSchema } from '#contract/order-schemas.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { getActor } from '#server/http/access.ts'
import { callsOf } from '#server/http/calls.ts'
import { correctCustomer } from './corrections.ts'
import { addNote, deleteNote, listNotes } from './notes.ts'
import { resendConfirmation } from './order-mails.ts'
import { listEvents } from './timeline.ts'

type PanelDeps = { db: Db; config: Pick<Config, 'mail'> }

const call = callsOf<PanelDeps>('Orders', 'admin')

const address = {
  country: 'Germany',
  firstName: 'Anna',
  lastName: 'Muster',
  address: 'Weg 1',
  city: 'Berlin',
  postcode: '10115',
}

/** What admins read and do about one order, besides its status and tracking. */
export const orderPanelCalls = [
  call(`GET ${apiRoutes.orderTimeline}`, {
    summary: 'Lists what happened to an order and what became of its mails, oldest first.',
    answers: { 200: z.array(orderEvent) },
    refusals: ['order-missing'],
    unknownId: 'order-missing',
    handle: ({ db }, { params }) => listEvents(db, params.id),
  }),

  call(`PUT ${apiRoutes.orderCustomer}`, {
    summary: 'Corrects email, name, phone and delivery address of an order.',
    note: '`before` is what the caller saw: if the order says something else by now, nothing is changed. Another email address ends the links to the order that were mailed before.',
    body: correctionSchema,
    example: {
      customerEmail: 'anna@example.com',
      customerPhone: '+49 30 123456',
      shippingAddress: address,
      before: {
        customerEmail: 'ana@example.com',
        customerPhone: null,
        shippingAddress: address,
      },
    },
    answers: { 200: adminOrder },
    refusals: ['order-missing', 'order-erased', 'order-changed'],
    unknownId: 'order-missing',
    handle: ({ db }, { params, body, request }) =>
      correctCustomer(db, params.id, body, getActor(request)),
  }),

  call(`POST ${apiRoutes.orderConfirmation}`, {
    summary: 'Sends the confirmation to the buyer once more.',
    answers: { 204: null },
    refusals: [
      'order-missing',
      'order-erased',
      'order-without-email',
      'mails-off',
      'confirmation-waiting',
      'too-many-confirmations',
    ],
    unknownId: 'order-missing',
    async handle({ db, config }, { params, request, reply }) {
      const hasMailServer = config.mail.smtpUrl !== undefined
      await resendConfirmation(db, params.id, { hasMailServer, actor: getActor(request) })
      return reply.code(204).send()
    },
  }),

  call(`GET ${apiRoutes.orderNotes}`, {
    summary: 'Lists the internal notes of an order, oldest first.',
    answers: { 200: z.array(orderNote) },
    refusals: ['order-missing'],
    unknownId: 'order-missing',
    handle: ({ db }, { params }) => listNotes(db, params.id),
  }),

  call(`POST ${apiRoutes.orderNotes}`, {
    summary: 'Adds an internal note to an order. Buyers never see it.',
    note: 'It answers all notes of the order.',
    body: noteSchema,
    example: { text: 'Called: deliver to the neighbour.' },
    answers: { 200: z.array(orderNote) },
    refusals: ['order-missing', 'order-erased'],
    unknownId: 'order-missing',
    handle: ({ db }, { params, body, request }) => addNote(db, params.id, body, getActor(request)),
  }),

  call(`DELETE ${apiRoutes.orderNote}`, {
    summary: 'Deletes an internal note. It cannot be undone.',
    note: 'It answers the notes that are left.',
    answers: { 200: z.array(orderNote) },
    refusals: ['order-missing', 'note-missing'],
    unknownId: 'order-missing',
    handle: ({ db }, { params, request }) => deleteNote(db, params, getActor(request)),
  }),
]
