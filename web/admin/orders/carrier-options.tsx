import { carrierNames, carriers } from '#contract/carriers.ts'

/** The choices of a field for a carrier. */
export function CarrierOptions() {
  return (
    <>
      <option value="">Choose a carrier</option>
      {carriers.map((carrier) => (
        <option key={carrier} value={carrier}>
          {carrierNames[carrier]}
        </option>
      ))}
    </>
  )
}
