import type { MethodTexts } from './en.ts'

export const de: MethodTexts = {
  otherWays: 'Andere Zahlungsarten',
  backToCard: 'Zurück zur Karte',
  obliges: 'Mit der Zahlung bestellen Sie zahlungspflichtig.',
  replaced:
    'Kontakt oder Lieferung wurden in einem anderen Tab geändert. Bitte sehen Sie sie sich noch einmal an.',
  noPayment:
    'Es ist keine Zahlung eingegangen. Bitte versuchen Sie es erneut oder zahlen Sie auf andere Weise.',
  instead: {
    payment: {
      provider:
        'Ihre Zahlung geht direkt an SumUp, unseren Zahlungsdienstleister. Dieser Shop sieht die Daten Ihrer Karte oder Ihres Kontos nie.',
      bankPage: 'Geht die Zahlung hier nicht weiter?',
      leaveBankPage: 'Schließen und auf die Zahlung warten',
    },
    connection: {
      unsent:
        'Für eine Zahlung wurde noch nichts gesendet. Diese Seite versucht es von selbst erneut.',
      noPayment:
        'Die Verbindung wurde unterbrochen, und es ist keine Zahlung eingegangen. Bitte versuchen Sie es erneut.',
    },
    toasts: {
      paymentFailedText:
        'Bitte versuchen Sie es noch einmal oder wählen Sie eine andere Zahlungsart.',
    },
    refusals: {
      'price-not-payable':
        'Dieses Produkt kann mit diesem Preis und dieser Währung nicht bezahlt werden. Bitte sagen Sie dem Shop Bescheid.',
      'payments-away':
        'Zahlungen sind gerade nicht möglich. Bitte versuchen Sie es gleich noch einmal.',
      'too-many-cards':
        'Zu viele Zahlungen wurden abgelehnt oder abgebrochen. Bitte warten Sie eine Weile oder wenden Sie sich an den Shop.',
    },
    panels: {
      tooManyCards: {
        title: 'Zahlung zurzeit nicht möglich',
        text: 'Für eine abgelehnte Zahlung wird nichts abgebucht. Ihre Eingaben bleiben erhalten: Laden Sie diese Seite später neu, dann ist das Zahlungsformular wieder da.',
      },
      atBank: {
        title: 'Ihre Zahlung ist noch nicht bestätigt',
        confirm:
          'Bitte schließen Sie die Zahlung dort ab, wo Sie bezahlen, zum Beispiel in der App Ihrer Bank. Sie müssen nicht noch einmal bezahlen: Sobald die Zahlung bestätigt ist, wird Ihre Bestellung automatisch angelegt.',
        goesOn: 'Hier geht es weiter, sobald die Zahlung bestätigt ist.',
        button: 'Zahlung nicht abgeschlossen',
        stillThere:
          'Diese Zahlung läuft noch, deshalb können wir noch kein neues Formular öffnen. Bitte schließen Sie sie ab oder warten Sie ein wenig: Hier geht es von selbst weiter.',
      },
      delayed: {
        text: 'Die Bestätigung dauert länger als sonst. Bitte zahlen Sie nicht noch einmal: Falls etwas abgebucht wurde, wird Ihre Bestellung automatisch angelegt.',
      },
      orderRefused: {
        text: 'Ihre Zahlung wurde übermittelt, und es wird kein zweites Mal abgebucht. Bitte versuchen Sie noch einmal, die Bestellung anzulegen.',
      },
      notFound: {
        before:
          'Bevor Sie noch einmal bezahlen, prüfen Sie bitte, ob etwas abgebucht wurde. Wenn ja und wenn Sie keine Bestätigung einer Bestellung haben, schreiben Sie dem Shop.',
      },
      notSold: {
        text: 'Ihre Zahlung wurde nicht übermittelt, und es wurde nichts abgebucht.',
        unknownText:
          'Ihre Zahlung wurde diesmal nicht übermittelt. Falls beim vorigen Versuch etwas abgebucht wurde, erfährt der Shop automatisch von dieser Zahlung.',
      },
      review: {
        uncertainText:
          'Es steht noch nicht fest, ob etwas abgebucht wurde. Der Shop geht dem nach. Bitte zahlen Sie bis dahin nicht noch einmal.',
      },
    },
  },
}
