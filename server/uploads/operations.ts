import { z } from 'zod'
import { uploadAddress, uploadPart } from '#contract/answers/products.ts'
import { apiRoutes } from '#contract/paths.ts'
import { pictureKinds, pictureSizes } from '#contract/pictures.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { defineOperations } from '#server/http/openapi.ts'
import { completionSchema } from './multipart.ts'
import { multipartSchema, uploadSchema } from './routes.ts'

const key = z.string().optional().describe('The key of the picture')

const fileRefusals: RefusalCode[] = [
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
const unsigned: RefusalCode[] = ['upload-expired', 'upload-unsigned', 'upload-broken-off']

export const uploadOperations = defineOperations('Pictures', 'admin', {
  [`POST ${apiRoutes.upload}`]: {
    summary: 'Asks for an address to upload a picture to.',
    note: 'The bytes go there with PUT. A product then shows the picture as /api/objects/ and its key.',
    body: uploadSchema,
    example: { kind: 'image' },
    isBodyOptional: true,
    answers: { 200: uploadAddress },
    refusals: ['pictures-away'],
  },
  [`PUT ${apiRoutes.incomingFile}`]: {
    access: 'public',
    summary: 'Takes the bytes of a picture, at the signed address that the shop gave out.',
    note: 'Only where pictures are kept on disk; with S3 they go to the bucket.',
    body: 'application/octet-stream',
    answers: { 200: null },
    headers: { etag: 'The MD5 of the bytes.', location: 'The address of the picture.' },
    refusals: [...unsigned, 'upload-missing', 'upload-used', ...fileRefusals],
  },
  [`GET ${apiRoutes.object}`]: {
    access: 'public',
    summary: 'Reads a picture, whole or in one of the sizes that pages need.',
    query: z.object({
      size: z.enum(Object.keys(pictureSizes)).optional().describe('WebP or AVIF, as accepted'),
    }),
    answers: { 200: 'image/*', 304: null },
    refusals: ['object-missing', ...fileRefusals],
  },
  [`GET ${apiRoutes.uploadParameters}`]: {
    summary: 'The same for Uppy’s aws-s3 plugin.',
    query: z.object({ 'metadata[kind]': z.enum(pictureKinds).optional() }),
    answers: {
      200: z.object({
        method: z.literal('PUT'),
        url: z.string(),
        fields: z.object({ key: z.string() }),
        headers: z.object({}),
      }),
    },
    refusals: ['pictures-away'],
  },
  [`GET ${apiRoutes.temporaryCredentials}`]: {
    summary: 'Always refused: every picture is checked before it is shown.',
    answers: {},
    refusals: ['no-temporary-credentials'],
  },
  [`POST ${apiRoutes.multipart}`]: {
    summary: 'Begins an upload in parts.',
    body: multipartSchema,
    example: { metadata: { kind: 'image' } },
    isBodyOptional: true,
    answers: { 200: z.object({ key: z.string(), uploadId: z.string() }) },
    refusals: ['pictures-away'],
  },
  [`GET ${apiRoutes.multipartUpload}`]: {
    summary: 'Lists the parts that have arrived.',
    query: z.object({ key }),
    answers: { 200: z.array(uploadPart) },
    refusals: ['upload-missing', 'pictures-away'],
  },
  [`GET ${apiRoutes.multipartPart}`]: {
    summary: 'Asks for an address to upload a part to.',
    query: z.object({ key }),
    answers: { 200: z.object({ url: z.string(), expires: z.int().describe('In seconds') }) },
    refusals: ['part-unnamed', 'upload-missing', 'pictures-away'],
  },
  [`PUT ${apiRoutes.incomingPart}`]: {
    access: 'public',
    summary: 'Takes the bytes of a part, at the signed address that the shop gave out.',
    body: 'application/octet-stream',
    answers: { 200: null },
    headers: { etag: 'The MD5 of the bytes.' },
    refusals: [...unsigned, 'part-unnamed', 'upload-missing', 'picture-too-large', 'pictures-away'],
  },
  [`POST ${apiRoutes.multipartComplete}`]: {
    summary: 'Joins the parts to a picture.',
    query: z.object({ key }),
    body: completionSchema,
    example: { parts: [{ PartNumber: 1, ETag: '"9e107d9d372bb6826bd81d3542a419d6"' }] },
    answers: { 200: z.object({ location: z.string() }) },
    refusals: ['part-missing', 'upload-missing', ...fileRefusals],
  },
  [`DELETE ${apiRoutes.multipartUpload}`]: {
    summary: 'Gives up an upload in parts.',
    query: z.object({ key }),
    answers: { 200: z.object({}) },
    refusals: ['upload-missing', 'pictures-away'],
  },
})
