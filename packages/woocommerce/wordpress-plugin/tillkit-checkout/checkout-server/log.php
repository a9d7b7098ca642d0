<?php
/** Entries of the plugin under WooCommerce, Status, Logs, with the source "tillkit". They contain no secret and no personal data. */

defined( 'ABSPATH' ) || exit;

/** A stranger can repeat a refused call as often as they like, so the same refusal is written once in this time. */
const TILLKIT_LOG_PAUSE_SECONDS = 60;

/**
 * Entries of the level `debug` are written only if the owner wants them.
 *
 * @param string                         $level debug, info, warning or error
 * @param string                         $event What happened, for instance `call_failed`. English, because logs are for developers.
 * @param array<string,string|int|bool>  $facts Ids, codes and numbers.
 */
function tillkit_log( string $level, string $event, array $facts = array() ): void {
	if ( ! function_exists( 'wc_get_logger' ) || ( 'debug' === $level && ! tillkit_settings()['log'] ) ) {
		return;
	}
	$parts = array( $event );
	foreach ( $facts as $name => $value ) {
		if ( is_bool( $value ) ) {
			$value = $value ? 'yes' : 'no';
		}
		$text    = (string) $value;
		$parts[] = $name . '=' . preg_replace( '/[^\x21-\x7e]/', '?', substr( $text, 0, 100 ) );
	}
	wc_get_logger()->log( $level, implode( ' ', $parts ), array( 'source' => 'tillkit' ) );
}

/**
 * Records the result of a call to the checkout server.
 *
 * @param array|WP_Error $answer
 * @param float          $started When the call began, from microtime().
 */
function tillkit_log_call( string $purpose, array $body_fields, $answer, float $started ): void {
	$facts = array(
		'call'    => $purpose,
		'order'   => (string) ( $body_fields['order'] ?? '-' ),
		'seconds' => number_format( microtime( true ) - $started, 1, '.', '' ),
	);
	if ( ! is_wp_error( $answer ) ) {
		tillkit_log( 'debug', 'call_answered', $facts );
		return;
	}
	$status = (int) ( $answer->get_error_data()['status'] ?? 0 );
	tillkit_log( 'warning', 'call_failed', $facts + array( 'code' => (string) $answer->get_error_code(), 'status' => $status ) );
}

/**
 * Records the result of a call that the checkout server made.
 *
 * @param array|WP_Error $answer
 */
function tillkit_log_answer( string $route, $answer ): void {
	if ( ! is_wp_error( $answer ) ) {
		$facts = array_intersect_key( $answer, array_flip( array( 'order', 'outcome', 'payment', 'status' ) ) );
		$changed_order = in_array( $answer['outcome'] ?? '', array( 'recorded', 'held' ), true );
		tillkit_log( $changed_order ? 'info' : 'debug', $route, array_filter( $facts, 'is_string' ) );
		return;
	}
	$code = (string) $answer->get_error_code();
	if ( false === get_transient( "tillkit_logged_$code" ) ) {
		set_transient( "tillkit_logged_$code", 'yes', TILLKIT_LOG_PAUSE_SECONDS );
		tillkit_log( 'warning', 'call_refused', compact( 'route', 'code' ) );
	}
}

/** Another plugin threw an error in our call. Its message may contain personal data, and its place names the plugin. */
function tillkit_log_foreign_error( Throwable $error ): void {
	$folders = array_slice( explode( '/', str_replace( '\\', '/', $error->getFile() ) ), -3 );
	tillkit_log( 'error', 'other_plugin_failed', array( 'error' => get_class( $error ), 'at' => implode( '/', $folders ) . ':' . $error->getLine() ) );
}
