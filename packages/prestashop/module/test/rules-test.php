<?php
/** The module runs on PHP 7.4. This machine may have a newer one only, so what came later is looked for in the source. */

const NEWER_TOKENS    = array( 'T_MATCH', 'T_ENUM', 'T_READONLY', 'T_ATTRIBUTE', 'T_NULLSAFE_OBJECT_OPERATOR' );
const NEWER_FUNCTIONS = array( 'str_contains', 'str_starts_with', 'str_ends_with', 'get_debug_type', 'array_is_list', 'array_find', 'array_any', 'array_all', 'json_validate', 'fdiv' );
const NEWER_TYPES     = array( 'mixed', 'never', 'true' );

/** @return string[] The words of a program that PHP 7.4 does not understand. */
function newer_words( string $program ): array {
	$tokens = array_values(
		array_filter(
			token_get_all( $program, TOKEN_PARSE ),
			static function ( $token ): bool {
				return ! is_array( $token ) || ! in_array( $token[0], array( T_WHITESPACE, T_COMMENT, T_DOC_COMMENT ), true );
			}
		)
	);
	$text   = static function ( int $at ) use ( $tokens ): string {
		$token = $tokens[ $at ] ?? '';
		return is_array( $token ) ? $token[1] : $token;
	};
	$found  = array();
	foreach ( $tokens as $at => $token ) {
		$name = is_array( $token ) ? token_name( $token[0] ) : '';
		$word = $text( $at );
		$is   = in_array( $name, NEWER_TOKENS, true )
			|| ( 'T_STRING' === $name && in_array( $word, NEWER_FUNCTIONS, true ) && '(' === $text( $at + 1 ) )
			// A type after the parameters.
			|| ( ':' === $word && ')' === $text( $at - 1 ) && ( in_array( $text( $at + 1 ), NEWER_TYPES, true ) || '|' === $text( $at + 2 ) ) )
			// An argument by its name.
			|| ( 'T_STRING' === $name && ':' === $text( $at + 1 ) && in_array( $text( $at - 1 ), array( '(', ',' ), true ) )
			// A caught error without a name; a property in the parameters; a throw inside an expression.
			|| ( 'catch' === $word && ')' === $text( $at + 3 ) )
			|| ( in_array( $word, array( 'public', 'private', 'protected' ), true ) && in_array( $text( $at - 1 ), array( '(', ',' ), true ) )
			|| ( 'throw' === $word && in_array( $text( $at - 1 ), array( '??', '?', ':', '=>' ), true ) );
		if ( $is ) {
			$found[] = $word;
		}
	}
	return $found;
}

test(
	'No program of the module or the bridge has syntax or a function that PHP 7.4 does not know',
	static function (): void {
		$newer = '<?php function f( $a ): int|string { return match ( true ) { str_contains( $a, "b" ) => g( name: $a ), default => $a?->b }; } try { f( 1 ); } catch ( Error ) {}'
			. ' class A { public function __construct( public int $b ) {} } $c = $d ?? throw new Error();';
		assert_same( array( ':', 'match', 'str_contains', 'name', '?->', 'catch', 'public', 'throw' ), newer_words( $newer ), 'what this test looks for is found;' );
		$looked_at = 0;
		foreach ( array( __DIR__ . '/../tillkit', TILLKIT_BRIDGE_FOLDER ) as $folder ) {
			foreach ( new RecursiveIteratorIterator( new RecursiveDirectoryIterator( realpath( $folder ), FilesystemIterator::SKIP_DOTS ) ) as $file ) {
				if ( 'php' === $file->getExtension() ) {
					++$looked_at;
					assert_same( array(), newer_words( file_get_contents( $file->getPathname() ) ), $file->getFilename() );
				}
			}
		}
		assert_true( $looked_at > 50, 'files are looked at;' );
	}
);
