import type { CheckoutTexts } from './en.ts'

export const fr: CheckoutTexts = {
  contact: {
    title: 'Contact',
    required: 'obligatoire',
    email: 'E-mail',
    didYouMean: 'Vouliez-vous dire {domain}\u00a0?',
    news: 'Recevoir les actualités et offres par e-mail',
  },
  choice: {
    fewLeft: 'Plus que {count} en stock',
    chosen: '{name}\u00a0: {value}',
  },
  delivery: {
    title: 'Livraison',
    keep: 'Enregistrer ces informations pour la prochaine fois',
    clear: 'Pas vous\u00a0? Effacer',
    kept: 'Sur cet appareil uniquement. Les données de carte ne sont jamais enregistrées.',
    choose: 'Livraison ou retrait',
    ship: 'Livraison',
    pickup: 'Retrait sur place',
    pickupPhoneHint: 'Uniquement pour les questions sur le retrait.',
  },
  fields: {
    optional: '(facultatif)',
    country: 'Pays',
    chooseCountry: 'Choisir un pays',
    firstName: 'Prénom',
    lastName: 'Nom',
    address: 'Adresse',
    apartment: 'Complément d’adresse',
    city: 'Ville',
    state: 'État/province',
    province: 'Province',
    prefecture: 'Préfecture',
    county: 'Comté',
    region: 'Région',
    emirate: 'Émirat',
    stateHint: 'Requis par le transporteur',
    zipCode: 'Code postal',
    postcode: 'Code postal',
    usuallyLike: 'Format usuel\u00a0: {example}',
    phone: 'Téléphone',
    phoneHint: 'Uniquement pour les questions de livraison.',
    charactersLeft: 'Caractères restants\u00a0: {count}',
  },
  errors: {
    title: 'Il y a un problème',
    forBilling: '{error} (facturation)',
    inTitle: 'Erreur\u00a0: ',
    noEmail: 'Indiquez votre adresse e-mail',
    email: 'Indiquez un e-mail du type nom@example.com',
    country: 'Choisissez un pays',
    firstName: 'Indiquez un prénom',
    lastName: 'Indiquez un nom',
    address: 'Indiquez une adresse',
    city: 'Indiquez une ville',
    state: 'Indiquez un État ou une province',
    zipCode: 'Indiquez un code postal',
    postcode: 'Indiquez un code postal',
    choice: 'À choisir\u00a0: {name}',
    note: 'Remplissez «\u00a0{label}\u00a0»',
    wrongField: 'Veuillez vérifier cette saisie.',
  },
  shipping: {
    title: 'Mode de livraison',
    addressFirst: 'Indiquez votre adresse pour voir le mode de livraison.',
    standard: 'Livraison standard',
    ready: 'Prêt à être expédié',
    free: 'Gratuite',
    calculating: 'calcul en cours…',
  },
  billing: {
    title: 'Adresse de facturation',
    same: 'Identique à l’adresse de livraison',
    other: 'Utiliser une autre adresse de facturation',
    none: 'Pas d’adresse de facturation',
  },
  payment: {
    title: 'Paiement',
    card: 'Carte bancaire',
    secure: 'Sécurisé et chiffré',
    charged: 'Votre carte sera débitée de {amount}',
    testCards: 'Cartes de test',
    copy: 'Copier {text}',
    succeeds: 'est acceptée',
    asksForSecure: 'demande 3-D Secure',
    testNote:
      'N’importe quelle date future et n’importe quel CVC. La plupart des autres numéros sont refusés. Rien n’est débité.',
    loading: 'Chargement…',
    stillLoading:
      'Si rien ne change, votre connexion est interrompue. Veuillez alors recharger cette page.',
    confirming: 'Confirmation de votre paiement…',
    bankPage: 'La page de votre banque ne fonctionne pas ici\u00a0?',
    leaveBankPage: 'La fermer et attendre la banque',
    notLoaded: 'Le formulaire de paiement ne s’est pas chargé.',
    checkConnection:
      'Veuillez vérifier votre connexion, et si un bloqueur de publicité arrête ce formulaire. Puis réessayez.',
    needsCookies:
      'Votre navigateur refuse les cookies, dont ce formulaire a besoin. Veuillez les autoriser ici et réessayer.',
    tryAgain: 'Réessayer',
    needsScript: 'Le formulaire de carte nécessite JavaScript.',
    due: 'Montant à payer',
    pay: 'Commande avec obligation de paiement',
    processing: 'Traitement…',
    provider:
      'Vos données de carte vont directement à SumUp, notre prestataire de paiement. Cette boutique ne les voit jamais.',
  },
  connection: {
    lost: 'La boutique est injoignable pour le moment.',
    typed:
      'Votre saisie est conservée, et la suite s’affiche automatiquement dès que la connexion est rétablie.',
    unsent: 'Votre carte n’a pas encore été envoyée. Cette page réessaie automatiquement.',
    sent: 'Veuillez ne pas payer à nouveau\u00a0: la suite s’affiche automatiquement dès que la connexion est rétablie.',
    noPayment:
      'La connexion a été interrompue, et aucun paiement avec votre carte n’est arrivé. Veuillez réessayer.',
  },
  withdrawal: {
    notice: 'Vous pouvez vous rétracter de cet achat dans un délai de {days} jours.',
    policy: 'Droit de rétractation',
    notSent: 'L’envoi n’a pas abouti. Veuillez vérifier votre connexion et réessayer.',
  },
  shop: {
    theShop: 'la boutique',
    questions: 'Des questions\u00a0? Écrivez à {shop}\u00a0: {email}',
    questionsElsewhere:
      'Des questions\u00a0? Vous pouvez joindre {shop} par le site ou le message où figurait ce lien.',
  },
  toasts: {
    region: 'Notifications (F8)',
    close: 'Fermer',
    lookAgain: 'Veuillez vérifier à nouveau',
    widgetError: 'Erreur du formulaire de paiement',
    widgetErrorText: 'Le formulaire de paiement ne s’est pas chargé. Veuillez actualiser la page.',
    notReady: 'Paiement pas encore prêt',
    notReadyText: 'Veuillez attendre que le formulaire de paiement se charge.',
    incomplete: 'Veuillez remplir tous les champs obligatoires',
    incompleteText: 'Complétez toutes les informations requises avant de payer.',
    submissionFailed: 'Échec de l’envoi du paiement',
    submissionFailedText: 'Veuillez réessayer ou actualiser la page.',
    orderFailed: 'Échec de la commande',
    orderFailedText: 'La commande n’a pas pu être créée. Veuillez réessayer.',
    paymentFailed: 'Échec du paiement',
    paymentFailedText: 'Veuillez vérifier les données de votre carte et réessayer.',
    expiredText:
      'Le formulaire de paiement avait expiré et rien n’a été débité. Veuillez réessayer.',
    expiredUnknownText: 'Le formulaire de paiement avait expiré. Veuillez réessayer.',
  },
  panels: {
    atBank: {
      title: 'Votre banque vérifie le paiement',
      confirm:
        'Veuillez le confirmer auprès d’elle, par exemple dans votre application bancaire. Inutile de payer à nouveau\u00a0: dès que votre banque aura accepté, votre commande sera enregistrée automatiquement.',
      goesOn: 'La suite s’affiche ici dès que votre banque a répondu.',
      button: 'Je n’ai pas validé le paiement',
      stillThere:
        'Ce paiement est encore chez votre banque, nous ne pouvons donc pas encore ouvrir un nouveau formulaire. Veuillez terminer auprès d’elle ou patienter un peu\u00a0: la suite s’affiche automatiquement.',
      unavailable: 'Cela n’a pas fonctionné. Veuillez réessayer dans un instant.',
    },
    confirming: {
      title: 'Traitement…',
      text: 'La confirmation de votre paiement est en cours. Veuillez garder cette page ouverte un instant.',
    },
    delayed: {
      title: 'Votre paiement est en cours de confirmation',
      text: 'Cela prend plus de temps que d’habitude. Veuillez ne pas payer à nouveau\u00a0: si votre carte a été débitée, votre commande sera enregistrée automatiquement.',
      close:
        'Vous pouvez laisser cette page ouverte\u00a0: la suite s’affiche automatiquement. Vous pouvez aussi la fermer\u00a0: rouverte dans ce navigateur, elle mène à votre commande dès qu’il y en a une.',
    },
    orderRefused: {
      title: 'Votre commande n’a pas pu être créée',
      text: 'Les données de votre carte ont été envoyées et votre carte ne sera pas débitée une seconde fois. Veuillez réessayer de créer la commande.',
    },
    notFound: {
      title: 'Nous ne pouvons pas suivre ce paiement d’ici',
      why: 'Les cookies ont été effacés, le paiement a été commencé dans un autre navigateur, ou la boutique n’en a aucune trace.',
      before:
        'Avant de payer à nouveau, veuillez vérifier si votre carte a été débitée. Si c’est le cas et que vous n’avez aucune confirmation de commande, écrivez à la boutique.',
      sure: 'Si vous avez la certitude de ne pas avoir payé, vous pouvez recommencer.',
      button: 'Recommencer',
    },
    tooManyCards: {
      title: 'Paiement par carte indisponible',
      text: 'Une carte refusée n’est pas débitée. Votre saisie est conservée\u00a0: rechargez cette page plus tard, et le formulaire de carte s’affichera à nouveau.',
    },
    notSold: {
      title: 'Ce produit n’est plus en vente',
      paused: 'Pas en vente pour le moment',
      soldOut: 'Épuisé',
      text: 'Les données de votre carte n’ont pas été envoyées et rien n’a été débité.',
      unknownText:
        'Les données de votre carte n’ont pas été envoyées cette fois. Si votre carte a été débitée lors de la tentative précédente, la boutique est automatiquement informée de ce paiement.',
    },
    review: {
      paid: 'Nous avons reçu votre paiement',
      paidText:
        'Votre paiement est arrivé et la boutique l’examine avant de poursuivre la commande. Inutile de payer à nouveau.',
      paidWithoutDetails:
        'Votre paiement est arrivé, mais pas l’adresse où envoyer votre commande. Veuillez écrire à la boutique pour qu’elle puisse la poursuivre. Inutile de payer à nouveau.',
      uncertain: 'Votre paiement est en cours d’examen',
      uncertainText:
        'On ne sait pas encore avec certitude si votre carte a été débitée, la boutique est donc en train de le vérifier. Veuillez ne pas payer à nouveau d’ici là.',
      whoWrites:
        'La boutique peut vous écrire à l’adresse e-mail que vous avez indiquée. Si vous n’en avez pas encore indiqué, veuillez écrire à la boutique.',
      returned: 'Votre paiement vous a été restitué',
      returnedText:
        'Il a été restitué avant de donner lieu à une commande, rien n’est donc envoyé. Si vous ne vous y attendiez pas, veuillez écrire à la boutique.',
      dismissed: 'Ce paiement n’a pas donné lieu à une commande',
      dismissedText:
        'La boutique a examiné ce paiement et n’a pas créé de commande. Si vous avez une question, veuillez écrire à la boutique.',
    },
  },
  refusals: {
    'product-missing': 'Produit introuvable',
    'page-outdated': 'Ce produit vient d’être modifié. Veuillez revoir la page.',
    'product-paused': 'La boutique a suspendu la vente de ce produit. Veuillez revenir plus tard.',
    'sold-out': 'Tous les exemplaires sont vendus ou en cours de paiement par d’autres personnes.',
    'choice-missing': 'Veuillez choisir l’une des possibilités.',
    'choice-gone': 'Votre choix a été modifié ou n’est plus proposé. Veuillez choisir à nouveau.',
    'value-sold-out':
      'Votre choix est vendu ou en cours de paiement par d’autres personnes. Veuillez choisir à nouveau.',
    'note-needed':
      'Ce produit demande un texte de votre part. Veuillez regarder la page à nouveau.',
    'not-delivered':
      'La boutique ne propose pas ce pays ou ce lieu de retrait. Veuillez choisir à nouveau.',
    'price-changed': 'Le prix a changé. Veuillez le vérifier à nouveau.',
    'price-without-cents':
      'Ce produit ne peut pas être payé, car sa devise n’a pas de centimes. Veuillez le signaler à la boutique.',
    'price-not-payable':
      'Ce produit ne peut pas être payé par carte à ce prix et dans cette devise. Veuillez le signaler à la boutique.',
    'mode-changed':
      'Cette boutique vient de changer son mode de paiement. Veuillez vérifier la page à nouveau.',
    'payments-away':
      'Le paiement par carte n’est pas disponible pour le moment. Veuillez réessayer dans un instant.',
    'too-many-checkouts':
      'Trop de paiements ont été commencés d’ici. Veuillez patienter quelques minutes et réessayer.',
    'too-many-holds':
      'Plusieurs paiements de cet article ont été commencés d’ici sans être terminés. Veuillez réessayer dans une heure ou contacter la boutique.',
    'too-many-cards':
      'Trop de cartes ont été refusées. Veuillez patienter un moment ou contacter la boutique.',
    'too-many-requests': 'Trop de demandes. Veuillez patienter un instant et réessayer.',
    'request-timeout': 'La demande n’est pas arrivée à temps. Veuillez réessayer.',
    unexpected: 'Un problème est survenu de notre côté. Veuillez réessayer.',
    unavailable: 'La boutique est indisponible pour le moment. Veuillez réessayer dans un instant.',
  },
}
