<?php
/** Entries in the log of the shop. They contain no secret and no personal data. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

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
	if ( 'debug' === $level && ! tillkit_host()->settings()['log'] ) {
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
	tillkit_host()->log( $level, implode( ' ', $parts ) );
}

/**
 * Records the result of a call to the checkout server.
 *
 * @param array|Tillkit_Error $answer
 * @param float          $started When the call began, from microtime().
 */
function tillkit_log_call( string $purpose, array $body_fields, $answer, float $started ): void {
	$facts = array(
		'call'    => $purpose,
		'order'   => (string) ( $body_fields['order'] ?? '-' ),
		'seconds' => number_format( microtime( true ) - $started, 1, '.', '' ),
	);
	if ( ! $answer instanceof Tillkit_Error ) {
		tillkit_log( 'debug', 'call_answered', $facts );
		return;
	}
	tillkit_log( 'warning', 'call_failed', $facts + array( 'code' => $answer->code, 'status' => $answer->status ) );
}

/**
 * Records the result of a call that the checkout server made.
 *
 * @param array|Tillkit_Error $answer
 */
function tillkit_log_answer( string $route, $answer ): void {
	if ( ! $answer instanceof Tillkit_Error ) {
		$facts = array_intersect_key( $answer, array_flip( array( 'order', 'outcome', 'payment', 'status' ) ) );
		$changed_order = in_array( $answer['outcome'] ?? '', array( 'recorded', 'held' ), true );
		tillkit_log( $changed_order ? 'info' : 'debug', $route, array_filter( $facts, 'is_string' ) );
		return;
	}
	$code = $answer->code;
	if ( '' === tillkit_host()->recall( "logged_$code" ) ) {
		tillkit_host()->remember( "logged_$code", 'yes', TILLKIT_LOG_PAUSE_SECONDS );
		tillkit_log( 'warning', 'call_refused', compact( 'route', 'code' ) );
	}
}

/** Another plugin threw an error in our call. Its message may contain personal data, and its place names the plugin. */
function tillkit_log_foreign_error( Throwable $error ): void {
	$folders = array_slice( explode( '/', str_replace( '\\', '/', $error->getFile() ) ), -3 );
	tillkit_log( 'error', 'other_plugin_failed', array( 'error' => get_class( $error ), 'at' => implode( '/', $folders ) . ':' . $error->getLine() ) );
}
