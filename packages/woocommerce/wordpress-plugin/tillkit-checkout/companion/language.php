<?php
/** The two languages that shoppers and owners are spoken to in. */

defined( 'ABSPATH' ) || exit;

/** Of who looks at this page: the shopper's on the shop's pages, the owner's in the administration. */
function tillkit_language(): string {
	return 0 === strpos( determine_locale(), 'fr' ) ? 'fr' : 'en';
}
