<?php
/**
 * The address of a transaction in the dashboard of the payment service. The service's API names no such address, so the owner
 * copies it from the browser once and writes {transaction} where the id is.
 */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

const TILLKIT_TRANSACTION_PLACE = '{transaction}';

/** The page of a transaction in the dashboard, or an empty text where the owner has set no address. */
function tillkit_dashboard_url( string $transaction ): string {
	$pattern = tillkit_host()->settings()['dashboard'];
	return '' === $pattern || '' === $transaction ? '' : str_replace( TILLKIT_TRANSACTION_PLACE, rawurlencode( $transaction ), $pattern );
}

/** @return string|Tillkit_Error An empty address is allowed: then transactions are not links. */
function tillkit_validate_dashboard( string $input ) {
	if ( '' === $input ) {
		return '';
	}
	$parts = tillkit_url_parts( str_replace( TILLKIT_TRANSACTION_PLACE, 'id', $input ) );
	$is_ok = 'https' === ( $parts['scheme'] ?? '' ) && ! empty( $parts['host'] ) && ! isset( $parts['user'] )
		&& false !== strpos( $input, TILLKIT_TRANSACTION_PLACE ) && ! preg_match( '/[\s<>"\\\\\x00-\x1f]/', $input );
	return $is_ok ? $input : new Tillkit_Error( 'tillkit_dashboard', tillkit_text( 'The dashboard address must begin with https:// and contain {transaction}, for instance https://dashboard.example.com/transactions/{transaction}' ) );
}

/**
 * Links to other pages about the payments, each in a new tab.
 *
 * @param array<string,string> $links Address => text. Empty addresses, and those of other kinds than the web's, are left out.
 */
function tillkit_links_html( array $links ): string {
	$html = '';
	foreach ( $links as $url => $text ) {
		$safe = tillkit_link( (string) $url );
		if ( '' !== $safe ) {
			$html .= '<li><a href="' . $safe . '" target="_blank" rel="noopener noreferrer">' . tillkit_html( $text ) . '</a></li>';
		}
	}
	return '' === $html ? '' : '<ul class="tillkit-links">' . $html . '</ul>';
}
