import { chapter } from "./chapter.ts";
import { coordinates, digits, keyName, letters, lettersOrDigitsUpTo, matching, text, textUpTo } from "./format.ts";

const contact = matching("[A,N,+,-,.]..25", "[A-Za-z0-9+.-]{1,25}", "be 1-25 letters, digits and + - .");

export const merchant = chapter("Merchant", [
  ["merchant.name", text(1, 100)],
  ["merchant.mcc", lettersOrDigitsUpTo(4)],
  ["merchant.street", text(1, 100)],
  ["merchant.city", text(1, 100)],
  ["merchant.state", text(1, 50)],
  ["merchant.countryCode", digits(3, 3)],
  ["merchant.country", letters(2, 2)],
  ["merchant.postcode", matching("[A,N,-]1-16", "[A-Za-z0-9-]{1,16}", "be 1-16 letters, digits or hyphens")],
  ["merchant.geographicCoordinates", coordinates],
  ["merchant.serviceLocationCity", text(1, 100)],
  ["merchant.serviceLocationState", text(1, 50)],
  ["merchant.serviceLocationCountryCode", textUpTo(3)],
  ["merchant.serviceLocationPostCode", text(1, 16)],
  ["merchant.serviceLocationGeographicCoordinates", coordinates],
  ["merchant.additionalContact", text(1, 255)],
  ["merchant.phone", contact],
  ["merchant.customerContactPhone", contact],
  ["merchant.websiteId", text(0, 255)],
  ["merchant.url", text(1, 255)],
  ["merchant.partnerIdCode", text(1, 60)],
  ["merchant.isoId", text(1, 255)],
  ["merchant.payFacId", text(1, 255)],
  ["merchant.payFacName", text(1, 255)],
  ["merchant.marketplaceId", text(1, 255)],
  ["merchant.submerchantId", text(1, 100)],
  ["merchant.taxId", text(1, 60)],
  ["merchant.data[key]", text(0, 2048), "optional", keyName],
  ["merchant.foreignRetailIndicator", text(1, 25)],
  ["merchant.legalName", text(1, 100)],
  ["merchant.app.schemeUrl", text(1, 255)],
]);
