<?php
/** Texts for people, JSON and HTML. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** @param string $text A literal, so that languages/fr.po can be compared with the source. */
function tillkit_text( string $text ): string {
	return tillkit_host()->translate( $text );
}

/** Plain text as a part of HTML, also inside an attribute. */
function tillkit_html( string $text ): string {
	return htmlspecialchars( $text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8' );
}

/** The address for an attribute of HTML; empty for one that is no page of the web, such as `javascript:`. */
function tillkit_link( string $url ): string {
	return preg_match( '#^https?://[^\s<>"\'\\\\\x00-\x1f]+\z#i', $url ) ? tillkit_html( $url ) : '';
}

/** @param array<string,string> $data Attributes `data-…` by name. */
function tillkit_data_html( array $data ): string {
	$html = '';
	foreach ( $data as $name => $value ) {
		$html .= ' data-' . $name . '="' . tillkit_html( $value ) . '"';
	}
	return $html;
}

/** @param mixed $value */
function tillkit_json( $value ): string {
	// phpcs:ignore WordPress.WP.AlternativeFunctions.json_encode_json_encode -- The bridge runs in shops without WordPress too.
	return (string) json_encode( $value );
}

/** @return array<string,string|int> Empty for an address that cannot be read. */
function tillkit_url_parts( string $url ): array {
	// phpcs:ignore WordPress.WP.AlternativeFunctions.parse_url_parse_url -- The bridge runs in shops without WordPress too.
	$parts = parse_url( $url );
	return is_array( $parts ) ? $parts : array();
}

/** A text in an answer; empty if the answer does not have it. */
function tillkit_text_field( array $row, string $name ): string {
	return isset( $row[ $name ] ) && is_string( $row[ $name ] ) ? $row[ $name ] : '';
}

/** A list of objects in an answer. @return array<int,array> */
function tillkit_list_field( array $answer, string $name ): array {
	return array_values( array_filter( (array) ( $answer[ $name ] ?? array() ), 'is_array' ) );
}
