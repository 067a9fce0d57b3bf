import type { MethodTexts } from './en.ts'

export const nl: MethodTexts = {
  otherWays: 'Andere betaalmethoden',
  backToCard: 'Terug naar kaart',
  obliges: 'Door te betalen plaats je een bestelling met betalingsverplichting.',
  replaced: 'Contact of bezorging is in een ander tabblad gewijzigd. Bekijk die nog een keer.',
  noPayment:
    'Er is geen betaling binnengekomen. Probeer het opnieuw of betaal op een andere manier.',
  instead: {
    payment: {
      provider:
        'Je betaling gaat rechtstreeks naar SumUp, onze betaalprovider. Deze webshop krijgt de gegevens van je kaart of rekening nooit te zien.',
      bankPage: 'Gaat de betaling hier niet verder?',
      leaveBankPage: 'Sluiten en op de betaling wachten',
    },
    connection: {
      unsent:
        'Er is nog niets voor een betaling verstuurd. Deze pagina probeert het vanzelf opnieuw.',
      noPayment:
        'De verbinding is verbroken en er is geen betaling binnengekomen. Probeer het opnieuw.',
    },
    toasts: {
      paymentFailedText: 'Probeer het opnieuw of kies een andere betaalmethode.',
    },
    refusals: {
      'price-not-payable':
        'Dit product kan met deze prijs en valuta niet worden betaald. Laat het de webshop weten.',
      'payments-away': 'Betalen kan nu even niet. Probeer het zo nog eens.',
      'too-many-cards':
        'Er zijn te veel betalingen geweigerd of afgebroken. Wacht een tijdje of neem contact op met de webshop.',
    },
    panels: {
      tooManyCards: {
        title: 'Betalen kan nu even niet',
        text: 'Van een geweigerde betaling wordt niets afgeschreven. Wat je hier hebt ingevuld, blijft bewaard: laad deze pagina later opnieuw, dan is het betaalformulier er weer.',
      },
      atBank: {
        title: 'Je betaling is nog niet bevestigd',
        confirm:
          'Rond de betaling af waar je betaalt, bijvoorbeeld in de app van je bank. Je hoeft niet nog een keer te betalen: zodra de betaling is bevestigd, wordt je bestelling vanzelf geplaatst.',
        goesOn: 'Deze pagina gaat verder zodra de betaling is bevestigd.',
        button: 'Ik heb de betaling niet afgerond',
        stillThere:
          'Deze betaling loopt nog, dus we kunnen nog geen nieuw formulier openen. Rond de betaling af of wacht even: deze pagina gaat vanzelf verder.',
      },
      delayed: {
        text: 'De bevestiging duurt langer dan normaal. Betaal niet nog een keer: als er geld is afgeschreven, wordt je bestelling vanzelf geplaatst.',
      },
      orderRefused: {
        text: 'Je betaling is verstuurd en er wordt geen tweede keer afgeschreven. Probeer opnieuw om de bestelling aan te maken.',
      },
      notFound: {
        before:
          'Controleer voordat je opnieuw betaalt of er geld is afgeschreven. Is dat zo en heb je geen bevestiging van een bestelling, schrijf dan naar de webshop.',
      },
      notSold: {
        text: 'Je betaling is niet verstuurd en er is niets afgeschreven.',
        unknownText:
          'Je betaling is deze keer niet verstuurd. Als er bij de vorige poging geld is afgeschreven, ziet de webshop die betaling vanzelf.',
      },
      review: {
        uncertainText:
          'Het is nog niet zeker of er geld is afgeschreven, dus de webshop zoekt dat uit. Betaal tot die tijd niet nog een keer.',
      },
    },
  },
}
