<?php
/** WordPress's actions and filters. They run in the order in which they were added: the priority does nothing. */

$hooks = array();

function add_filter( string $name, $callback, int $priority = 10, int $arguments = 1 ): void {
	$GLOBALS['hooks'][ $name ][] = array( $callback, $arguments );
}

function remove_action( string $name, $callback, int $priority = 10 ): bool {
	foreach ( $GLOBALS['hooks'][ $name ] ?? array() as $index => list( $registered ) ) {
		if ( $registered === $callback ) {
			unset( $GLOBALS['hooks'][ $name ][ $index ] );
			return true;
		}
	}
	return false;
}

function add_action( string $name, $callback, int $priority = 10, int $arguments = 1 ): void {
	add_filter( $name, $callback, $priority, $arguments );
}

function apply_filters( string $name, $value, ...$more ) {
	foreach ( $GLOBALS['hooks'][ $name ] ?? array() as list( $callback, $arguments ) ) {
		$value = $callback( ...array_slice( array( $value, ...$more ), 0, $arguments ) );
	}
	return $value;
}

function do_action( string $name, ...$values ): void {
	foreach ( $GLOBALS['hooks'][ $name ] ?? array() as list( $callback, $arguments ) ) {
		$callback( ...array_slice( $values, 0, $arguments ) );
	}
}

function remove_filter( string $name, $callback, int $priority = 10 ): bool {
	return remove_action( $name, $callback, $priority );
}
