import { z } from 'zod'
import { checkoutSettings, product, publicProduct } from '#contract/answers/products.ts'
import { apiRoutes } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { defineOperations } from '#server/http/openapi.ts'

const example = {
  name: 'Harbour Mug',
  price: '24.00',
  currency: 'EUR',
  description: 'Stoneware, 350 ml.',
  headerLogoUrl: 'https://example.com/logo.png',
}

/** Of pictures that were uploaded and are checked when a product shows them. */
const pictureRefusals: RefusalCode[] = [
  'picture-too-large',
  'picture-empty',
  'picture-unknown',
  'picture-svg',
  'picture-damaged',
  'picture-too-many-pixels',
  'picture-too-many-frames',
  'pictures-busy',
  'pictures-away',
]

const missing: RefusalCode[] = ['product-missing']

export const catalogOperations = defineOperations('Products', 'admin', {
  [`GET ${apiRoutes.products}`]: {
    summary: 'Lists all products, newest first.',
    answers: { 200: z.array(product) },
  },
  [`POST ${apiRoutes.products}`]: {
    summary: 'Adds a product.',
    note: 'Whatever else is sent along is dropped.',
    body: productSchema,
    example,
    answers: { 201: product },
    refusals: ['too-many-products', ...pictureRefusals],
  },
  [`GET ${apiRoutes.product}`]: {
    access: 'public',
    summary: 'Reads a product on sale.',
    answers: { 200: publicProduct, 304: null },
    refusals: missing,
  },
  [`PUT ${apiRoutes.product}`]: {
    summary: 'Changes a product. What is left out gets its default.',
    note: 'Orders keep the product as it was sold.',
    body: productSchema,
    example: { ...example, price: '26.00' },
    answers: { 200: product },
    refusals: [...missing, ...pictureRefusals],
  },
  [`DELETE ${apiRoutes.product}`]: {
    summary: 'Takes a product off sale. Its orders stay.',
    answers: { 204: null },
    refusals: missing,
  },
  [`POST ${apiRoutes.productRestore}`]: {
    summary: 'Undoes a deletion, with the same link and orders.',
    answers: { 200: product },
    refusals: [...missing, 'too-many-products'],
  },
  [`POST ${apiRoutes.productPause}`]: {
    summary: 'Pauses the sale: the checkout takes no new payments.',
    answers: { 200: product },
    refusals: missing,
  },
  [`POST ${apiRoutes.productResume}`]: {
    summary: 'Resumes the sale.',
    answers: { 200: product },
    refusals: missing,
  },
  [`GET ${apiRoutes.customDomain}`]: {
    summary: 'Tells where checkouts are reached, and what they charge in.',
    answers: { 200: checkoutSettings },
  },
})
