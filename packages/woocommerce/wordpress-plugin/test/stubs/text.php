<?php
/** WordPress' functions for texts, addresses and input. Most return what they get. */

/** Translates with the plugin's own French file where the page is French. */
function __( string $text, string $domain ): string {
	return 0 === strpos( Stubs::$locale, 'fr' ) ? french_texts()[ $text ] ?? $text : $text;
}

function translate( string $text, string $domain ): string {
	return __( $text, $domain );
}

/** @return array<string,string> */
function french_texts(): array {
	static $texts = null;
	if ( null === $texts ) {
		$po = file_get_contents( __DIR__ . '/../../tillkit-checkout/languages/tillkit-checkout-fr_FR.po' ) . file_get_contents( TILLKIT_BRIDGE_FOLDER . '/languages/fr.po' );
		preg_match_all( '/^msgid (".*")\nmsgstr (".*")$/m', $po, $rows );
		$texts = array_combine( array_map( 'json_decode', $rows[1] ), array_map( 'json_decode', $rows[2] ) );
	}
	return $texts;
}

function esc_html( $text ): string {
	return htmlspecialchars( (string) $text, ENT_QUOTES );
}

function esc_attr( $text ): string {
	return htmlspecialchars( (string) $text, ENT_QUOTES );
}

function esc_html__( string $text, string $domain ): string {
	return esc_html( __( $text, $domain ) );
}

function esc_attr__( string $text, string $domain ): string {
	return esc_attr( __( $text, $domain ) );
}

function esc_url( string $url, ?array $protocols = null ): string {
	$scheme = strtolower( (string) parse_url( $url, PHP_URL_SCHEME ) );
	if ( ! in_array( $scheme, $protocols ?? array( 'http', 'https', 'mailto' ), true ) ) {
		return '';
	}
	return str_replace( array( '&', '"', "'", '<', '>' ), array( '&#038;', '', '&#039;', '', '' ), $url );
}

function esc_url_raw( string $url ): string {
	return $url;
}

function determine_locale(): string {
	return Stubs::$locale;
}

function load_plugin_textdomain( string $domain, bool $deprecated, string $folder ): void {}

function wp_strip_all_tags( string $text ): string {
	return strip_tags( $text );
}

function wp_date( string $format, int $at ): string {
	return gmdate( $format, $at );
}

function wp_specialchars_decode( string $text, int $quotes ): string {
	return htmlspecialchars_decode( $text, $quotes );
}

function sanitize_key( string $key ): string {
	return preg_replace( '/[^a-z0-9_\-]/', '', strtolower( $key ) );
}

function get_bloginfo( string $what ): string {
	return '6.8';
}

function wp_json_encode( $value ) {
	return json_encode( $value );
}

function wp_parse_url( string $url ) {
	return parse_url( $url );
}

function sanitize_text_field( string $text ): string {
	return trim( strip_tags( $text ) );
}

function get_query_var( string $name ) {
	return Stubs::$query_vars[ $name ] ?? '';
}

function wp_unslash( $value ) {
	return is_string( $value ) ? stripslashes( $value ) : $value;
}

function absint( $value ): int {
	return is_scalar( $value ) ? abs( (int) $value ) : 0;
}

function plugin_basename( string $file ): string {
	return basename( dirname( $file ) ) . '/' . basename( $file );
}

function plugins_url( string $path, string $file ): string {
	return "https://shop.example/wp-content/plugins/tillkit-checkout/$path";
}

function admin_url( string $path ): string {
	return "https://shop.example/wp-admin/$path";
}

function rest_url( string $path ): string {
	return "https://shop.example/wp-json/$path";
}
