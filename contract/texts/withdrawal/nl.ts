import type { WithdrawalTexts } from './en.ts'

/** With the law's own "u", where the rest of the shop says "je". */
export const nl: WithdrawalTexts = {
  theShop: 'de webshop',
  confirmed: ' Wij bevestigen u dan onverwijld per e-mail dat wij uw herroeping hebben ontvangen.',
  instructions: [
    'U heeft het recht om binnen een termijn van 14 dagen zonder opgave van redenen de overeenkomst te herroepen. De herroepingstermijn verstrijkt 14 dagen na de dag waarop u of een door u aangewezen derde, die niet de vervoerder is, het goed fysiek in bezit krijgt.',
    'Om het herroepingsrecht uit te oefenen, moet u ons ({seller}) via een ondubbelzinnige verklaring (bijvoorbeeld schriftelijk per post of e-mail) op de hoogte stellen van uw beslissing de overeenkomst te herroepen. U kunt hiervoor gebruikmaken van het onderstaande modelformulier voor herroeping, maar bent hiertoe niet verplicht.',
    'U kunt de overeenkomst ook online herroepen: kies “{here}” onderaan de pagina waar u heeft gekocht of op de pagina van uw bestelling.{confirmed}',
    'Om de herroepingstermijn na te leven volstaat het om uw mededeling betreffende uw uitoefening van het herroepingsrecht te verzenden voordat de herroepingstermijn is verstreken.',
    'Als u de overeenkomst herroept, ontvangt u alle betalingen die u tot op dat moment heeft gedaan, inclusief de kosten van standaardlevering, onverwijld en in ieder geval niet later dan 14 dagen nadat wij op de hoogte zijn gesteld van uw beslissing de overeenkomst te herroepen, van ons terug. Wij betalen u terug met hetzelfde betaalmiddel als waarmee u de oorspronkelijke transactie heeft verricht, tenzij u uitdrukkelijk anderszins heeft ingestemd; in ieder geval zullen u voor zulke terugbetaling geen kosten in rekening worden gebracht. Wij mogen wachten met terugbetaling tot wij de goederen hebben teruggekregen, of u heeft aangetoond dat u de goederen heeft teruggezonden, al naar gelang welk tijdstip eerst valt.',
    'U dient de goederen onverwijld, doch in ieder geval niet later dan 14 dagen na de dag waarop u het besluit de overeenkomst te herroepen aan ons heeft medegedeeld, aan ons terug te zenden of te overhandigen. U bent op tijd als u de goederen terugstuurt voordat de termijn van 14 dagen is verstreken. De directe kosten van het terugzenden van de goederen komen voor uw rekening. U bent alleen aansprakelijk voor de waardevermindering van de goederen die het gevolg is van het gebruik van de goederen, dat verder gaat dan nodig is om de aard, de kenmerken en de werking van de goederen vast te stellen.',
    'Er is geen herroepingsrecht voor goederen die volgens uw specificaties zijn vervaardigd of duidelijk voor een specifieke persoon zijn bestemd, en ook niet voor goederen die snel bederven of een beperkte houdbaarheid hebben.',
  ],
  form: [
    'Modelformulier voor herroeping',
    '(Dit formulier alleen invullen en terugzenden als u de overeenkomst wilt herroepen.)',
    'Aan {seller}:',
    'Ik/Wij (*) deel/delen (*) u hierbij mede dat ik/wij (*) onze overeenkomst betreffende de verkoop van de volgende goederen herroep/herroepen (*):',
    'Besteld op (*) / ontvangen op (*):',
    'Naam/namen consument(en):',
    'Adres consument(en):',
    'Handtekening van consument(en) (alleen wanneer dit formulier op papier wordt ingediend):',
    'Datum:',
    '(*) Doorhalen wat niet van toepassing is.',
  ],
}
