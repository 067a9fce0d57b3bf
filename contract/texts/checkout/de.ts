import type { CheckoutTexts } from './en.ts'

export const de: CheckoutTexts = {
  contact: {
    title: 'Kontakt',
    required: 'Pflichtfeld',
    email: 'E-Mail',
    didYouMean: 'Meinten Sie {domain}?',
    news: 'Neuigkeiten und Angebote per E-Mail erhalten',
  },
  choice: {
    fewLeft: 'Nur noch {count} verfügbar',
    chosen: '{name}: {value}',
  },
  delivery: {
    title: 'Lieferung',
    keep: 'Angaben für das nächste Mal speichern',
    clear: 'Nicht Sie? Löschen',
    kept: 'Nur auf diesem Gerät. Kartendaten werden nie gespeichert.',
    choose: 'Lieferung oder Abholung',
    ship: 'Lieferung',
    pickup: 'Abholung',
    pickupPhoneHint: 'Nur für Fragen zur Abholung.',
  },
  fields: {
    optional: '(optional)',
    country: 'Land',
    chooseCountry: 'Land wählen',
    firstName: 'Vorname',
    lastName: 'Nachname',
    address: 'Straße und Hausnummer',
    apartment: 'Adresszusatz',
    city: 'Ort',
    state: 'Staat/Provinz',
    province: 'Provinz',
    prefecture: 'Präfektur',
    county: 'Grafschaft/Kreis',
    region: 'Region',
    emirate: 'Emirat',
    stateHint: 'Für den Versand nötig',
    zipCode: 'Postleitzahl',
    postcode: 'Postleitzahl',
    usuallyLike: 'Üblich: {example}',
    phone: 'Telefon',
    phoneHint: 'Nur für Fragen zur Lieferung.',
    charactersLeft: 'Noch {count} Zeichen',
  },
  errors: {
    title: 'Es gibt ein Problem',
    forBilling: '{error} (Rechnungsadresse)',
    inTitle: 'Fehler: ',
    noEmail: 'Bitte E-Mail-Adresse eingeben',
    email: 'Bitte E-Mail wie name@example.com eingeben',
    country: 'Bitte Land wählen',
    firstName: 'Bitte Vornamen eingeben',
    lastName: 'Bitte Nachnamen eingeben',
    address: 'Bitte Adresse eingeben',
    city: 'Bitte Ort eingeben',
    state: 'Bitte Staat oder Provinz eingeben',
    zipCode: 'Bitte PLZ eingeben',
    postcode: 'Bitte PLZ eingeben',
    choice: 'Bitte wählen: {name}',
    note: 'Bitte „{label}“ ausfüllen',
    wrongField: 'Bitte prüfen Sie diese Angabe.',
  },
  shipping: {
    title: 'Versandart',
    addressFirst: 'Geben Sie Ihre Adresse ein, um zu sehen, wie geliefert wird.',
    standard: 'Standardversand',
    ready: 'Versandbereit',
    free: 'Gratis',
    calculating: 'wird berechnet…',
  },
  billing: {
    title: 'Rechnungsadresse',
    same: 'Wie Lieferadresse',
    other: 'Andere Rechnungsadresse',
    none: 'Keine Rechnungsadresse',
  },
  payment: {
    title: 'Zahlung',
    card: 'Kreditkarte',
    secure: 'Sicher und verschlüsselt',
    charged: 'Mit der Bestellung wird Ihre Karte mit {amount} belastet',
    testCards: 'Testkarten',
    copy: '{text} kopieren',
    succeeds: 'erfolgreich',
    asksForSecure: 'verlangt 3-D Secure',
    testNote:
      'Beliebiges Datum in der Zukunft, beliebiger CVC. Die meisten anderen Nummern werden abgelehnt. Es fließt kein Geld.',
    loading: 'Wird geladen…',
    stillLoading:
      'Bleibt es dabei, ist Ihre Verbindung abgebrochen. Bitte laden Sie diese Seite dann neu.',
    confirming: 'Wir warten auf die Bestätigung…',
    bankPage: 'Funktioniert die Seite Ihrer Bank hier nicht?',
    leaveBankPage: 'Schließen und auf die Bank warten',
    notLoaded: 'Das Zahlungsformular wurde nicht geladen.',
    checkConnection:
      'Bitte prüfen Sie Ihre Verbindung, und ob ein Werbeblocker das Formular aufhält. Versuchen Sie es dann noch einmal.',
    needsCookies:
      'Ihr Browser lehnt Cookies ab, die dieses Formular braucht. Bitte erlauben Sie sie hier und versuchen Sie es noch einmal.',
    tryAgain: 'Erneut versuchen',
    needsScript: 'Das Kartenformular braucht JavaScript.',
    due: 'Zu zahlen',
    pay: 'Zahlungspflichtig bestellen',
    processing: 'Wird verarbeitet…',
    provider:
      'Ihre Kartendaten gehen direkt an SumUp, unseren Zahlungsdienstleister. Dieser Shop sieht sie nie.',
  },
  connection: {
    lost: 'Der Shop ist gerade nicht erreichbar.',
    typed:
      'Was Sie eingegeben haben, bleibt erhalten. Sobald die Verbindung wieder da ist, geht es von selbst weiter.',
    unsent: 'Ihre Karte wurde noch nicht gesendet. Diese Seite versucht es von selbst noch einmal.',
    sent: 'Bitte zahlen Sie nicht noch einmal: Sobald die Verbindung wieder da ist, geht es hier von selbst weiter.',
    noPayment:
      'Die Verbindung ist abgebrochen, und es ist keine Zahlung mit Ihrer Karte angekommen. Bitte versuchen Sie es noch einmal.',
  },
  withdrawal: {
    notice: 'Sie können diesen Kauf innerhalb von {days} Tagen widerrufen.',
    policy: 'Widerrufsrecht',
    notSent:
      'Das konnte nicht gesendet werden. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  },
  shop: {
    /** In the accusative, as the two texts below need it, and `reach` of the pages. */
    theShop: 'den Shop',
    questions: 'Fragen? Schreiben Sie an {shop}: {email}',
    questionsElsewhere:
      'Fragen? Sie erreichen {shop} über die Website oder die Nachricht, die Sie hierher geführt hat.',
  },
  toasts: {
    region: 'Benachrichtigungen (F8)',
    close: 'Schließen',
    lookAgain: 'Bitte noch einmal ansehen',
    widgetError: 'Fehler im Zahlungsformular',
    widgetErrorText: 'Das Zahlungsformular wurde nicht geladen. Bitte laden Sie die Seite neu.',
    notReady: 'Zahlung noch nicht bereit',
    notReadyText: 'Bitte warten Sie, bis das Zahlungsformular geladen ist.',
    incomplete: 'Bitte füllen Sie alle Pflichtfelder aus',
    incompleteText: 'Machen Sie alle nötigen Angaben, bevor Sie bezahlen.',
    submissionFailed: 'Übermittlung der Zahlung fehlgeschlagen',
    submissionFailedText: 'Bitte versuchen Sie es erneut oder laden Sie die Seite neu.',
    orderFailed: 'Bestellung fehlgeschlagen',
    orderFailedText:
      'Die Bestellung konnte nicht angelegt werden. Bitte versuchen Sie es noch einmal.',
    paymentFailed: 'Zahlung fehlgeschlagen',
    paymentFailedText: 'Bitte prüfen Sie Ihre Kartendaten und versuchen Sie es noch einmal.',
    expiredText:
      'Das Zahlungsformular war abgelaufen, es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',
    expiredUnknownText: 'Das Zahlungsformular war abgelaufen. Bitte versuchen Sie es noch einmal.',
  },
  panels: {
    atBank: {
      title: 'Ihre Bank prüft die Zahlung',
      confirm:
        'Bitte bestätigen Sie die Zahlung dort, zum Beispiel in Ihrer Banking-App. Sie müssen nicht noch einmal bezahlen: Sobald Ihre Bank zustimmt, wird Ihre Bestellung automatisch angelegt.',
      goesOn: 'Hier geht es weiter, sobald Ihre Bank geantwortet hat.',
      button: 'Bei der Bank nicht abgeschlossen',
      stillThere:
        'Diese Zahlung liegt noch bei Ihrer Bank, deshalb können wir noch kein neues Formular öffnen. Bitte schließen Sie sie dort ab oder warten Sie ein wenig: Hier geht es von selbst weiter.',
      unavailable: 'Das hat gerade nicht geklappt. Bitte versuchen Sie es gleich noch einmal.',
    },
    confirming: {
      title: 'Wird verarbeitet…',
      text: 'Wir warten auf die Bestätigung Ihrer Zahlung. Bitte lassen Sie diese Seite noch einen Moment geöffnet.',
    },
    delayed: {
      title: 'Ihre Zahlung ist noch nicht bestätigt',
      text: 'Die Bestätigung dauert länger als sonst. Bitte zahlen Sie nicht noch einmal: Falls Ihre Karte belastet wurde, wird Ihre Bestellung automatisch angelegt.',
      close:
        'Sie können diese Seite geöffnet lassen, dann geht es von selbst weiter. Sie können sie auch schließen: In diesem Browser wieder geöffnet führt sie zu Ihrer Bestellung, sobald es eine gibt.',
    },
    orderRefused: {
      title: 'Ihre Bestellung konnte nicht angelegt werden',
      text: 'Ihre Kartendaten wurden übermittelt, und die Karte wird kein zweites Mal belastet. Bitte versuchen Sie noch einmal, die Bestellung anzulegen.',
    },
    notFound: {
      title: 'Wir können diese Zahlung von hier aus nicht verfolgen',
      why: 'Cookies wurden gelöscht, die Zahlung wurde in einem anderen Browser begonnen, oder der Shop hat keinen Eintrag dazu.',
      before:
        'Bevor Sie noch einmal bezahlen, prüfen Sie bitte, ob Ihre Karte belastet wurde. Wenn ja und wenn Sie keine Bestätigung einer Bestellung haben, schreiben Sie dem Shop.',
      sure: 'Wenn Sie sicher sind, dass Sie nicht bezahlt haben, können Sie neu beginnen.',
      button: 'Neu beginnen',
    },
    tooManyCards: {
      title: 'Kartenzahlung zurzeit nicht möglich',
      text: 'Eine abgelehnte Karte wird nicht belastet. Ihre Eingaben bleiben erhalten: Laden Sie diese Seite später neu, dann ist das Kartenformular wieder da.',
    },
    notSold: {
      title: 'Dieses Produkt wird nicht mehr verkauft',
      paused: 'Zurzeit nicht im Verkauf',
      soldOut: 'Ausverkauft',
      text: 'Ihre Kartendaten wurden nicht übermittelt, und es wurde nichts abgebucht.',
      unknownText:
        'Ihre Kartendaten wurden diesmal nicht übermittelt. Falls Ihre Karte beim vorigen Versuch belastet wurde, erfährt der Shop automatisch von dieser Zahlung.',
    },
    review: {
      paid: 'Wir haben Ihre Zahlung erhalten',
      paidText:
        'Ihre Zahlung ist eingegangen, und der Shop sieht sie sich an, bevor es mit der Bestellung weitergeht. Sie müssen nicht noch einmal bezahlen.',
      paidWithoutDetails:
        'Ihre Zahlung ist eingegangen, aber uns fehlt noch die Lieferadresse. Bitte schreiben Sie dem Shop, damit es weitergehen kann. Sie müssen nicht noch einmal bezahlen.',
      uncertain: 'Ihre Zahlung wird geprüft',
      uncertainText:
        'Es steht noch nicht fest, ob Ihre Karte belastet wurde. Der Shop geht dem nach. Bitte zahlen Sie bis dahin nicht noch einmal.',
      whoWrites:
        'Der Shop kann Ihnen an die E-Mail-Adresse schreiben, die Sie angegeben haben. Falls Sie noch keine angegeben haben, schreiben Sie bitte dem Shop.',
      returned: 'Ihre Zahlung ging an Sie zurück',
      returnedText:
        'Sie ging zurück, bevor daraus eine Bestellung wurde, es wird also nichts versandt. Falls Sie das nicht erwartet haben, schreiben Sie bitte dem Shop.',
      dismissed: 'Aus dieser Zahlung wurde keine Bestellung',
      dismissedText:
        'Der Shop hat sich diese Zahlung angesehen und keine Bestellung daraus gemacht. Wenn Sie eine Frage haben, schreiben Sie bitte dem Shop.',
    },
  },
  refusals: {
    'product-missing': 'Produkt nicht gefunden',
    'page-outdated':
      'Dieses Produkt wurde gerade geändert. Bitte sehen Sie sich die Seite noch einmal an.',
    'product-paused':
      'Der Shop hat den Verkauf dieses Produkts pausiert. Bitte kommen Sie später wieder.',
    'sold-out': 'Alle Stücke sind verkauft oder werden gerade von anderen bezahlt.',
    'choice-missing': 'Bitte wählen Sie eine der Möglichkeiten.',
    'choice-gone':
      'Ihre Auswahl wurde geändert oder wird nicht mehr angeboten. Bitte wählen Sie neu.',
    'value-sold-out':
      'Ihre Auswahl ist verkauft oder wird gerade von anderen bezahlt. Bitte wählen Sie neu.',
    'note-needed':
      'Für dieses Produkt wird ein Text von Ihnen gebraucht. Bitte sehen Sie sich die Seite noch einmal an.',
    'not-delivered':
      'Dieses Land oder diesen Abholort bietet der Shop nicht an. Bitte wählen Sie neu.',
    'price-changed': 'Der Preis hat sich geändert. Bitte sehen Sie ihn sich noch einmal an.',
    'price-without-cents':
      'Dieses Produkt kann nicht bezahlt werden, weil seine Währung keine Cent hat. Bitte sagen Sie dem Shop Bescheid.',
    'price-not-payable':
      'Dieses Produkt kann mit diesem Preis und dieser Währung nicht per Karte bezahlt werden. Bitte sagen Sie dem Shop Bescheid.',
    'mode-changed':
      'Dieser Shop hat gerade umgestellt, wie bezahlt wird. Bitte sehen Sie sich die Seite noch einmal an.',
    'payments-away':
      'Kartenzahlungen sind gerade nicht möglich. Bitte versuchen Sie es gleich noch einmal.',
    'too-many-checkouts':
      'Von hier aus wurden zu viele Zahlungen begonnen. Bitte warten Sie ein paar Minuten und versuchen Sie es noch einmal.',
    'too-many-holds':
      'Von hier aus wurden hierfür mehrere Zahlungen begonnen und nicht beendet. Bitte versuchen Sie es in einer Stunde noch einmal, oder wenden Sie sich an den Shop.',
    'too-many-cards':
      'Zu viele Karten wurden abgelehnt. Bitte warten Sie eine Weile oder wenden Sie sich an den Shop.',
    'too-many-requests':
      'Zu viele Anfragen. Bitte warten Sie einen Moment und versuchen Sie es noch einmal.',
    'request-timeout': 'Die Anfrage kam nicht rechtzeitig an. Bitte versuchen Sie es noch einmal.',
    unexpected: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.',
    unavailable: 'Der Shop ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
  },
}
