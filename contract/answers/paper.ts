import { z } from 'zod'
import { id } from './fields.ts'

export const slip = z
  .object({
    orderId: id,
    number: z.string().describe('The short number'),
    code: z.string().describe('What the QR code says'),
    date: z.string().describe('The day of the order, such as 17 November 2026'),
    printedOn: z.string().describe('Today, in the shop’s time zone'),
    shopName: z.string(),
    sender: z.string().describe('The shop’s address in one line; empty where it names none'),
    contact: z.string().nullable(),
    recipient: z.string(),
    isPickup: z.boolean().describe('Handed over at the pickup place, whose address is given'),
    address: z.array(z.string()).describe('As its country writes it'),
    productId: id,
    productName: z.string(),
    quantity: z.int().min(1),
    note: z
      .object({ title: z.string(), lines: z.array(z.string()) })
      .nullable()
      .describe('What the buyer wrote, such as an engraving'),
    warnings: z.array(z.string()).describe('Why it may be wrong to send it'),
  })
  .meta({ id: 'Slip', description: 'What goes into the parcel of an order.' })
