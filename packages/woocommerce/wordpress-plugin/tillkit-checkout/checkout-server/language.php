<?php
/** The supported languages. */

defined( 'ABSPATH' ) || exit;

/** The language of the current page: the shopper's in the shop, the owner's in the administration. */
function tillkit_language(): string {
	return 0 === strpos( determine_locale(), 'fr' ) ? 'fr' : 'en';
}
