<?php
/** The plugin's source as tokens, for the rules of Plugin Check. */

/** @return array<string,array<int,array{0:int|null,1:string,2:int}>> By path: [token or null, text, line], without blanks and comments. */
function plugin_tokens(): array {
	static $all = null;
	if ( null !== $all ) {
		return $all;
	}
	$all = array();
	foreach ( plugin_files() as $file ) {
		$line = 1;
		foreach ( token_get_all( file_get_contents( $file ), TOKEN_PARSE ) as $token ) {
			$line = is_array( $token ) ? $token[2] : $line;
			$row  = is_array( $token ) ? $token : array( null, $token, $line );
			if ( ! in_array( $row[0], array( T_WHITESPACE, T_COMMENT, T_DOC_COMMENT, T_OPEN_TAG ), true ) ) {
				$all[ plugin_path( $file ) ][] = $row;
			}
		}
	}
	return $all;
}

function plugin_path( string $file ): string {
	return str_replace( array( dirname( __DIR__ ) . '/tillkit-checkout/', realpath( TILLKIT_BRIDGE_FOLDER ) ), array( '', 'bridge' ), $file );
}

/**
 * The calls of functions, without methods, declarations and constructors.
 *
 * @return array<int,array{name:string,place:string,next:int,tokens:array}> `next`: the index after the opening parenthesis.
 */
function plugin_calls(): array {
	$calls = array();
	foreach ( plugin_tokens() as $path => $tokens ) {
		foreach ( $tokens as $index => list( $kind, $text, $line ) ) {
			$before = $tokens[ $index - 1 ][0] ?? null;
			if ( T_STRING !== $kind || '(' !== ( $tokens[ $index + 1 ][1] ?? '' ) || in_array( $before, array( T_FUNCTION, T_NEW, T_OBJECT_OPERATOR, T_DOUBLE_COLON ), true ) ) {
				continue;
			}
			$calls[] = array( 'name' => $text, 'place' => "$path:$line", 'next' => $index + 2, 'tokens' => $tokens );
		}
	}
	return $calls;
}

/**
 * The tokens of a statement or of a call's arguments: until the closing parenthesis, a semicolon, or a comma outside of parentheses.
 *
 * @return array<int,array>
 */
function tokens_until( array $tokens, int $from, array $ends ): array {
	$depth = 0;
	$found = array();
	for ( $index = $from; isset( $tokens[ $index ] ); ++$index ) {
		$text = $tokens[ $index ][1];
		if ( 0 === $depth && ( in_array( $text, $ends, true ) || ')' === $text ) ) {
			return $found;
		}
		if ( '(' === $text || '[' === $text ) {
			++$depth;
		} elseif ( ')' === $text || ']' === $text ) {
			--$depth;
		}
		$found[] = $tokens[ $index ];
	}
	return $found;
}

/** @return string[] The lines of the plugin that match, as `path:line`. */
function plugin_lines( string $pattern ): array {
	$found = array();
	foreach ( plugin_files() as $file ) {
		foreach ( file( $file ) as $index => $line ) {
			if ( preg_match( $pattern, $line ) ) {
				$found[] = plugin_path( $file ) . ':' . ( $index + 1 ) . ' ' . trim( $line );
			}
		}
	}
	return $found;
}

/** @return array<string,string> The headers `Name: value` at the beginning of a file. */
function plugin_headers( string $file ): array {
	preg_match_all( '/^[ \t*]*([A-Z][A-Za-z ]+): *(.+)$/m', substr( file_get_contents( dirname( __DIR__ ) . "/tillkit-checkout/$file" ), 0, 1500 ), $rows );
	return array_combine( $rows[1], array_map( 'trim', $rows[2] ) );
}
